import type { Rolldown } from 'tsdown';

/** Fills the SDK's registry of every schema of MCP and OAuth, in which this server looks nothing up. */
const registration = /^for \(const .* register\(.*\);\n/gm;
/** A schema at the top level. It is made by calls, so a bundler would keep it even if nothing uses it. */
const schema = /^(const \w+Schema = )((?:z|\w+Schema)\b[\s\S]*?);\n(?=\n|const |let |function |export |\/)/gm;

/**
 * Omits the SDK's schemas that this server doesn't use: making them would take a seventh of its start. The build fails
 * if the SDK no longer has the registry that kept them.
 */
export const leanSdk = (): Rolldown.Plugin => {
  let hasRegistry = false;
  return {
    name: 'lean-sdk',
    transform: {
      filter: { id: /@modelcontextprotocol[\\/](core|server)[\\/]dist[\\/]/ },
      handler(code) {
        const lean = code.replace(registration, '');
        hasRegistry ||= lean !== code;
        return lean.replace(schema, '$1/* @__PURE__ */ (() => $2)();\n');
      },
    },
    buildEnd(error) {
      if (!error && !hasRegistry)
        this.error('The SDK registers its schemas in another way: adapt or remove lean-sdk.ts.');
    },
  };
};
