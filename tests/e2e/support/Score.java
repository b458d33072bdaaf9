import hex.ModelCategory;
import hex.genmodel.MojoModel;
import hex.genmodel.easy.EasyPredictModelWrapper;
import hex.genmodel.easy.RowData;
import hex.genmodel.easy.exception.PredictException;
import hex.genmodel.easy.prediction.AutoEncoderModelPrediction;
import hex.genmodel.easy.prediction.BinomialModelPrediction;
import hex.genmodel.easy.prediction.MultinomialModelPrediction;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Scores the rows of a file as a user of H2O's runtime would, and prints a line for each: the label and the
 * probabilities, the value, or the reconstruction and its error.
 */
final class Score {
  private final EasyPredictModelWrapper wrapper;
  private final MojoModel model;
  private final ModelCategory category;

  private Score(String mojo) throws Exception {
    model = MojoModel.load(mojo);
    category = model.getModelCategory();
    wrapper = new EasyPredictModelWrapper(new EasyPredictModelWrapper.Config()
        .setModel(model)
        .setConvertUnknownCategoricalLevelsToNa(true)
        .setConvertInvalidNumbersToNa(true));
  }

  public static void main(String[] args) throws Exception {
    Score score = new Score(args[0]);
    String[] lines = new String(Files.readAllBytes(Paths.get(args[1])), StandardCharsets.UTF_8).split("\n");
    String[] names = lines[0].split("\t", -1);
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    for (int i = 1; i < lines.length; i++) {
      out.print(score.line(row(names, lines[i].split("\t", -1))) + "\n");
    }
    out.flush();
  }

  private static RowData row(String[] names, String[] cells) {
    RowData row = new RowData();
    for (int i = 0; i < names.length; i++) {
      if (!cells[i].isEmpty()) row.put(unescaped(names[i]), unescaped(cells[i].substring(1)));
    }
    return row;
  }

  /** The runtime throws where an answer is no number; for us that is the answer. */
  private String line(RowData row) throws PredictException {
    try {
      return answer(row);
    } catch (RuntimeException e) {
      if (!String.valueOf(e.getMessage()).endsWith(" NaN!")) throw e;
      return model.isClassifier() ? line(null, notANumber(model.nclasses())) : "NA";
    }
  }

  private static double[] notANumber(int count) {
    double[] numbers = new double[count];
    Arrays.fill(numbers, Double.NaN);
    return numbers;
  }

  private String answer(RowData row) throws PredictException {
    switch (category) {
      case Binomial: {
        BinomialModelPrediction p = wrapper.predictBinomial(row);
        return line(p.label, p.classProbabilities);
      }
      case Multinomial: {
        MultinomialModelPrediction p = wrapper.predictMultinomial(row);
        return line(p.label, p.classProbabilities);
      }
      case AutoEncoder: {
        AutoEncoderModelPrediction p = wrapper.predictAutoEncoder(row);
        return line(p.reconstructed) + '\t' + text(p.mse);
      }
      default:
        return text(wrapper.predictRegression(row).value);
    }
  }

  private static String line(String label, double[] probabilities) {
    return (label == null ? "NA" : escaped(label)) + '\t' + line(probabilities);
  }

  private static String line(double[] numbers) {
    return Arrays.stream(numbers).mapToObj(Score::text).collect(Collectors.joining("\t"));
  }

  private static String text(double number) {
    return Double.isNaN(number) ? "NA" : Double.toString(number);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        c = text.charAt(++i);
        c = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
      }
      plain.append(c);
    }
    return plain.toString();
  }
}
