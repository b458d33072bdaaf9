import hex.genmodel.GenModel;
import hex.genmodel.MojoModel;
import hex.genmodel.easy.EasyPredictModelWrapper;
import hex.genmodel.easy.RowData;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Latency MOJO TABLE: how long one row takes in H2O's runtime by a MOJO, in the same runtime by the class `Theirs`, and in the class
 * `Own`. See `run`, which makes all of them of one model.
 */
final class Latency {
  private static final int ROWS = 500;
  private static final int CALLS = 60_000;

  private interface Call {
    double on(int row) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    MojoModel mojo = MojoModel.load(args[0]);
    GenModel theirs = new Theirs();
    EasyPredictModelWrapper easyMojo = easy(mojo);
    EasyPredictModelWrapper easyTheirs = easy(theirs);
    List<RowData> texts = new ArrayList<>();
    List<RowData> numbers = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    read(args[1], Own.columns(), texts, numbers, values);
    double[] prediction = new double[theirs.getPredsSize()];

    System.out.println(ROWS + " rows of " + theirs.nfeatures() + " numbers, " + CALLS + " calls");
    measure("h2o-genmodel, score0", row -> mojo.score0(values.get(row), prediction)[0]);
    measure("h2o-genmodel, EasyPredict of Doubles", row -> easyMojo.predictRaw(numbers.get(row), 0.0)[0]);
    measure("h2o-genmodel, EasyPredict of texts", row -> easyMojo.predictRaw(texts.get(row), 0.0)[0]);
    measure("--genmodel, score0", row -> theirs.score0(values.get(row), prediction)[0]);
    measure("--genmodel, EasyPredict of Doubles", row -> easyTheirs.predictRaw(numbers.get(row), 0.0)[0]);
    measure("--genmodel, EasyPredict of texts", row -> easyTheirs.predictRaw(texts.get(row), 0.0)[0]);
    measure("own class, score(double[], double[])", row -> {
      Own.score(values.get(row), prediction);
      return prediction[0];
    });
    measure("own class, score(Map) of Doubles", row -> Own.score(numbers.get(row))[0]);
    measure("own class, score(Map) of texts", row -> Own.score(texts.get(row))[0]);
  }

  private static EasyPredictModelWrapper easy(GenModel model) throws Exception {
    return new EasyPredictModelWrapper(new EasyPredictModelWrapper.Config().setModel(model));
  }

  /** The first rows, each in three forms. Columns are named by their places: C1, C2, ... */
  private static void read(
      String path, String[] columns, List<RowData> texts, List<RowData> numbers, List<double[]> values)
      throws Exception {
    InputStream file = new FileInputStream(path);
    InputStream plain = path.endsWith(".gz") ? new GZIPInputStream(file) : file;
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(plain, "US-ASCII"))) {
      while (values.size() < ROWS) {
        String[] cells = reader.readLine().split(",");
        RowData text = new RowData();
        RowData number = new RowData();
        double[] value = new double[columns.length];
        for (int i = 0; i < columns.length; i++) {
          String cell = cells[Integer.parseInt(columns[i].substring(1)) - 1];
          value[i] = Double.parseDouble(cell);
          text.put(columns[i], cell);
          number.put(columns[i], value[i]);
        }
        texts.add(text);
        numbers.add(number);
        values.add(value);
      }
    }
  }

  private static void measure(String name, Call call) throws Exception {
    double sum = 0;
    long[] nanoseconds = new long[CALLS];
    // The first time is for the compiler.
    for (int repeat = 0; repeat < 2; repeat++) {
      for (int i = 0; i < CALLS; i++) {
        long start = System.nanoTime();
        sum += call.on(i % ROWS);
        nanoseconds[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(nanoseconds);
    System.out.printf(
        "%-38s median %6.1f us, p90 %6.1f us, p99 %6.1f us (sum %.3g)%n",
        name, nanoseconds[CALLS / 2] / 1e3, nanoseconds[CALLS / 10 * 9] / 1e3, nanoseconds[CALLS / 100 * 99] / 1e3, sum);
  }
}
