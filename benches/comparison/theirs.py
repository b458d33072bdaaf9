"""H2O's side: one server on all cores, and its Python client."""

import time
import warnings

import h2o
from h2o.estimators import H2ODeepLearningEstimator

from ours import Run

HEAP = "3g"
PORT = 55880


class H2O:
    """A server that runs as long as the `with` block."""

    def __enter__(self):
        warnings.filterwarnings("ignore")
        h2o.init(port=PORT, max_mem_size=HEAP, nthreads=-1, strict_version_check=False, verbose=False)
        h2o.no_progress()
        self.frames = {}
        return self

    def __exit__(self, *_):
        h2o.cluster().shutdown()

    def version(self):
        return h2o.__version__

    def train(self, table, parameters, epochs, seed, scores=True):
        training, importing = self.frame(table, table.train)
        model = H2ODeepLearningEstimator(**parameters, epochs=epochs, seed=seed)
        start = time.monotonic()
        predictors = [name for name in training.names if name != table.response and name not in table.ignored]
        model.train(x=predictors, y=table.response, training_frame=training)
        whole = time.monotonic() - start + importing
        output = model._model_json["output"]
        history = output["scoring_history"]
        samples = int(history.cell_values[-1][history.col_header.index("samples")])
        error = float("nan")
        if scores:
            predicted = model.predict(self.frame(table, table.test)[0])
            cells = predicted["predict"].as_data_frame(use_pandas=False)
            error = table.error([row[0] for row in cells[1:]])
            h2o.remove(predicted)
        h2o.remove(model)
        return Run(samples, output["run_time"] / 1000, whole, error=error)

    def frame(self, table, path):
        """The imported file, and how long that took."""
        if path not in self.frames:
            start = time.monotonic()
            header = 1 if table.has_header else -1
            kinds = None if table.is_number else {table.response: "enum"}
            frame = h2o.import_file(str(path), header=header, col_types=kinds)
            self.frames[path] = frame, time.monotonic() - start
        return self.frames[path]

    def forget(self):
        """Frees the frames."""
        for frame, _ in self.frames.values():
            h2o.remove(frame)
        self.frames.clear()
