"""Asks a server with a client that others wrote: `clients.py CLIENT HOST:PORT < columns.json`.

The columns are `[{"name", "is_number", "values": [text or null]}]`; the answer is a list of rows of the columns of the prediction.
"""

import asyncio
import json
import sys

import numpy

OUTPUTS = sys.argv[3:]


def arrays(columns):
    for column in columns:
        if column["is_number"]:
            values = [float("nan") if value is None else float(value) for value in column["values"]]
            yield column["name"], "FP64", numpy.array(values, numpy.float64)
        else:
            values = ["" if value is None else value for value in column["values"]]
            yield column["name"], "BYTES", numpy.array([value.encode() for value in values], numpy.object_)


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def rows(columns):
    return [[text(cell) for cell in row] for row in zip(*columns)]


def triton(module, address, columns, **input_options):
    client = module.InferenceServerClient(address)
    assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("model")
    inputs = []
    for name, datatype, values in arrays(columns):
        tensor = module.InferInput(name, [len(values)], datatype)
        tensor.set_data_from_numpy(values, **input_options)
        inputs.append(tensor)
    client.get_server_metadata()
    metadata = client.get_model_metadata("model")
    client.get_inference_statistics("model")
    client.get_model_repository_index()
    answer = client.infer("model", inputs, request_id="7")
    outputs = metadata["outputs"] if isinstance(metadata, dict) else metadata.outputs
    names = [output["name"] if isinstance(output, dict) else output.name for output in outputs]
    assert names == OUTPUTS, names
    return rows([answer.as_numpy(name).tolist() for name in names])


def triton_http(address, columns):
    import tritonclient.http

    return triton(tritonclient.http, address, columns, binary_data=True)


def triton_grpc(address, columns):
    import tritonclient.grpc

    client = tritonclient.grpc.InferenceServerClient(address)
    client.get_model_config("model")
    return triton(tritonclient.grpc, address, columns)


def kserve(address, columns):
    from kserve import InferenceRESTClient, InferInput, InferRequest, RESTConfig

    inputs = []
    for name, datatype, values in arrays(columns):
        tensor = InferInput(name, [len(values)], datatype)
        tensor.set_data_from_numpy(values, binary_data=True)
        inputs.append(tensor)

    async def ask():
        client = InferenceRESTClient(RESTConfig(protocol="v2"))
        base = f"http://{address}"
        assert await client.is_server_live(base) and await client.is_server_ready(base)
        assert await client.is_model_ready(base, "model")
        request = InferRequest(model_name="model", infer_inputs=inputs)
        return await client.infer(base, request, model_name="model")

    answer = asyncio.run(ask())
    return rows([output.as_numpy().tolist() for output in answer.outputs])


def mlflow(address, columns):
    import pandas
    from mlflow.pyfunc.scoring_server.client import ScoringServerClient

    def values(column):
        if column["is_number"]:
            return [None if value is None else float(value) for value in column["values"]]
        return column["values"]

    frame = pandas.DataFrame({column["name"]: values(column) for column in columns}, dtype=object)
    host, port = address.split(":")
    client = ScoringServerClient(host, int(port))
    client.ping()
    answer = client.invoke(frame, params={"predict_method": "all"})
    predictions = answer.predictions if hasattr(answer, "predictions") else answer["predictions"]
    records = predictions.to_dict("records") if hasattr(predictions, "to_dict") else predictions
    return [[record["predict"], *record["probabilities"].values()] for record in records]


client = {"triton_http": triton_http, "triton_grpc": triton_grpc, "kserve": kserve, "mlflow": mlflow}[sys.argv[1]]
json.dump(client(sys.argv[2], json.load(sys.stdin)), sys.stdout)
