"""Drives a server of the Open Inference Protocol with NVIDIA's client, tritonclient.

Reads the address, the model and its columns as JSON from stdin, and prints what the client made of the answers.
"""

import json
import sys

import numpy as np
import tritonclient.http as http
from tritonclient.utils import InferenceServerException

asked = json.load(sys.stdin)
name = asked["model"]
client = http.InferenceServerClient(asked["address"], concurrency=2)
metadata = client.get_model_metadata(name)
version = metadata["versions"][0]
out = {
    "live": client.is_server_live(),
    "ready": client.is_server_ready(),
    "model_ready": client.is_model_ready(name) and client.is_model_ready(name, version),
    "server": client.get_server_metadata()["name"],
    "inputs": [[i["name"], i["datatype"], i["shape"]] for i in metadata["inputs"]],
    "forms": {},
}


def inputs(binary):
    made = []
    for column in asked["columns"]:
        if column["datatype"] == "BYTES":
            cells = np.array([c.encode() for c in column["cells"]], dtype=np.object_)
        else:
            cells = np.array([np.nan if c is None else c for c in column["cells"]], dtype=np.float64)
        tensor = http.InferInput(column["name"], [len(cells), 1], column["datatype"])
        tensor.set_data_from_numpy(cells.reshape(-1, 1), binary_data=binary)
        made.append(tensor)
    return made


def told(result):
    return {
        "decision": [d.decode() if isinstance(d, bytes) else d for d in result.as_numpy("decision")],
        "probabilities": result.as_numpy("probabilities").tolist(),
        "votes": result.as_numpy("votes").tolist(),
        "id": result.get_response().get("id", ""),
        "version": result.get_response()["model_version"],
    }


wanted = ["decision", "probabilities", "votes"]
plain = [http.InferRequestedOutput(o, binary_data=False) for o in wanted]
packed = [http.InferRequestedOutput(o, binary_data=True) for o in wanted]
forms = out["forms"]
forms["usual"] = told(client.infer(name, inputs(True)))
forms["json"] = told(client.infer(name, inputs(False), outputs=plain, request_id="seven"))
forms["binary"] = told(client.infer(name, inputs(True), model_version=version, outputs=packed))
forms["mixed"] = told(client.infer(name, inputs(False), outputs=packed))
forms["gzip"] = told(client.infer(name, inputs(True), outputs=plain, request_compression_algorithm="gzip"))
forms["async"] = told(client.async_infer(name, inputs(True), outputs=packed).get_result())
reasons = client.infer(
    name, inputs(True), outputs=[http.InferRequestedOutput("reasons")], parameters={"reasons": 2}
).as_numpy("reasons")
out["reasons"] = [json.loads(r) for r in reasons]
out["errors"] = []
for wrong in (
    lambda: client.infer("nobody", inputs(True)),
    lambda: client.infer(name, inputs(True)[1:]),
    lambda: client.get_model_metadata(name, "999"),
):
    try:
        wrong()
        out["errors"].append("")
    except InferenceServerException as error:
        out["errors"].append(str(error))
json.dump(out, sys.stdout)
