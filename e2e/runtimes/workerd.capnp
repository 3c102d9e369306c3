using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "bundle.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "ApiKeyClient", uniqueKey = "clients")],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "CLIENTS", durableObjectNamespace = "ApiKeyClient")],
  globalOutbound = "loopback",
);
