"""Uses the mock with pytest. Install the mock next to your tests: npm install --save-dev @order-license/mock-api"""

import json
import subprocess
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


@pytest.fixture(scope="session")
def mock():
    # Does not use npx, which would leave the mock running.
    command = ["node", "node_modules/@order-license/mock-api/dist/cli.js", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield json.loads(process.stdout.readline())  # baseUrl, controlUrl and keys
        process.terminate()


@pytest.fixture(autouse=True)
def reset(mock):
    control(mock, "POST", "/reset")


def control(mock, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(mock["controlUrl"] + path, data, method=method)) as response:
        return json.load(response)


def get(mock, path):
    """A placeholder for your client, which needs the mock's base URL and an API key."""
    key = mock["keys"]["business"]
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
    with urlopen(Request(mock["baseUrl"] + path, headers=headers)) as response:
        return json.load(response)["data"]


def test_reads_the_codes_that_are_delivered_so_far(mock):
    sample = control(mock, "GET", "/samples")["partlyDelivered"]
    order = get(mock, f"/orders/{sample['id']}")
    assert len(order["items"][0]["license_codes"]) == 4
    assert control(mock, "GET", "/journal?violations=true")["entries"] == []


def test_gets_503_once(mock):
    control(mock, "POST", "/faults", {"kind": "503", "operation": "list"})
    with pytest.raises(HTTPError, match="503"):
        get(mock, "/orders")
    assert get(mock, "/orders")["pagination"]["page"] == 1
    assert len(control(mock, "GET", "/journal?operation=list&status=503")["entries"]) == 1
