import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What users of a generated class rely on. The class is `Small`: of `plan`, with levels, and of the number `age`. */
public final class Contract {
  private static final double[] MISSING = Small.score(row());

  public static void main(String[] args) throws Exception {
    namesAreTold();
    numbersComeInAnyType();
    levelsComeAsTextsNumbersAndBooleans();
    whatIsWrongCountsAsMissing();
    whatIsWrongIsToldOrRefused();
    rowsAreChecked();
    threadsDoNotDisturbEachOther();
    nothingIsLeftForTheCollector();
    System.out.println("kept");
  }

  private static void namesAreTold() {
    check(Arrays.equals(Small.columns(), new String[] {"plan", "age"}));
    check(Arrays.equals(Small.levels(0), new String[] {"3", "a", "b", "true"}) && Small.levels(1) == null);
    check(Arrays.equals(Small.outputs(), new String[] {"predict", "no", "yes"}));
    Small.columns()[0] = "other";
    Small.levels(0)[0] = "other";
    check(Small.columns()[0].equals("plan") && Small.levels(0)[0].equals("3"));
    double[] prediction = Small.score(row("plan", "a", "age", 33.0));
    check(Small.label(prediction).equals(prediction[0] == 1.0 ? "yes" : "no"));
    check(Math.abs(prediction[1] + prediction[2] - 1.0) < 1e-12);
    check(Small.label(new double[] {Double.NaN, Double.NaN, Double.NaN}) == null);
  }

  private static void numbersComeInAnyType() {
    double[] expected = Small.score(row("plan", "a", "age", 33.0));
    check(!Arrays.equals(expected, Small.score(row("plan", "a", "age", 34.0))));
    for (Object age : new Object[] {33, 33L, 33.0f, (short) 33, (byte) 33, new BigDecimal("33.00"), "33", " 3.3e1 "}) {
      check(Arrays.equals(expected, Small.score(row("plan", "a", "age", age))));
    }
    check(Arrays.equals(expected, Small.score(new double[] {1.0, 33.0})));
  }

  private static void levelsComeAsTextsNumbersAndBooleans() {
    double[] expected = Small.score(row("plan", "3"));
    check(!Arrays.equals(expected, MISSING));
    for (Object plan : new Object[] {3, 3L, 3.0, 3.0f, (short) 3, new BigDecimal("3.00")}) {
      check(Arrays.equals(expected, Small.score(row("plan", plan))));
    }
    check(Arrays.equals(Small.score(row("plan", "true")), Small.score(row("plan", true))));
  }

  private static void whatIsWrongCountsAsMissing() {
    for (Object plan : new Object[] {null, Double.NaN, "A", "a ", "", 3.5, Double.POSITIVE_INFINITY, false}) {
      check(Arrays.equals(MISSING, Small.score(row("plan", plan))));
    }
    for (Object age : new Object[] {null, Double.NaN, Float.NaN, "NaN", "", "old", "33,5"}) {
      check(Arrays.equals(MISSING, Small.score(row("age", age))));
    }
    check(Arrays.equals(MISSING, Small.score(row("other", 1.0))));
    check(Arrays.equals(MISSING, Small.score(new double[] {9.0, Double.NaN})));
  }

  private static void whatIsWrongIsToldOrRefused() {
    tells(row("plan", "z", "age", 1.0), "column `plan`: not a level of the column, scored as missing");
    tells(row("plan", "a", "age", "old"), "column `age`: not a number, scored as missing");
    tells(row("plan", 3, "age", 1.0), "column `plan`: a number, read as the level of that text");
    tells(row("age", 1.0), "column `plan`: not in the row, scored as missing");
    tells(row("plan", "a", "age", 1.0, "other", 1), "column `other`: not a column of the model, ignored");
    // What is null is meant to be missing, and the response may come along.
    Map<String, Object> right = row("plan", null, "age", "12", "paid", "yes");
    List<String> problems = new ArrayList<>();
    check(Arrays.equals(Small.score(right, true), Small.score(right, problems::add)) && problems.isEmpty());
  }

  private static void tells(Map<String, Object> row, String problem) {
    List<String> problems = new ArrayList<>();
    check(Arrays.equals(Small.score(row, problems::add), Small.score(row)));
    check(Arrays.equals(Small.score(row, false), Small.score(row)));
    check(problems.equals(Collections.singletonList(problem)));
    try {
      Small.score(row, true);
      check(false);
    } catch (IllegalArgumentException refused) {
      check(refused.getMessage().equals(problem));
    }
  }

  private static void rowsAreChecked() {
    for (double[][] lengths : new double[][][] {{new double[1], new double[3]}, {new double[2], new double[2]}}) {
      try {
        Small.score(lengths[0], lengths[1]);
        check(false);
      } catch (IllegalArgumentException refused) {
        check(refused.getMessage().startsWith("expected 2 numbers and room for 3, found "));
      }
    }
  }

  private static void threadsDoNotDisturbEachOther() throws Exception {
    double[][] expected = new double[500][];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = Small.score(new double[] {i % 5, i});
    }
    Callable<Boolean> again = () -> {
      boolean isSame = true;
      for (int i = 0; i < 20 * expected.length; i++) {
        int row = i % expected.length;
        isSame &= Arrays.equals(expected[row], Small.score(new double[] {row % 5, row}));
      }
      return isSame;
    };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (Future<Boolean> isSame : threads.invokeAll(Collections.nCopies(4, again))) {
      check(isSame.get());
    }
    threads.shutdown();
  }

  private static void nothingIsLeftForTheCollector() throws Exception {
    double[] row = {1.0, 33.0};
    double[] prediction = new double[3];
    Small.score(row, prediction);
    long before = allocated();
    for (int i = 0; i < 10_000; i++) {
      Small.score(row, prediction);
    }
    // To ask takes something, too.
    check(allocated() - before < 10_000);
  }

  private static long allocated() throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Method bytes = Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
    return (Long) bytes.invoke(threads, Thread.currentThread().getId());
  }

  private static Map<String, Object> row(Object... namesAndValues) {
    Map<String, Object> row = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  private static void check(boolean isKept) {
    if (!isKept) throw new AssertionError();
  }
}
