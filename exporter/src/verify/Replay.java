import hex.ModelCategory;
import hex.genmodel.GenModel;
import hex.genmodel.MojoModel;
import hex.genmodel.easy.EasyPredictModelWrapper;
import hex.genmodel.easy.RowData;
import hex.genmodel.easy.prediction.AutoEncoderModelPrediction;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/** Scores the rows of a file with H2O's runtime, by a MOJO or a class, and prints the numbers, a line for each row. */
final class Replay {
  public static void main(String[] args) throws Exception {
    EasyPredictModelWrapper.Config config = new EasyPredictModelWrapper.Config()
        .setModel(model(args[0], args[1]))
        .setConvertUnknownCategoricalLevelsToNa(true)
        .setConvertInvalidNumbersToNa(true);
    EasyPredictModelWrapper model = new EasyPredictModelWrapper(config);
    List<String> lines = Files.readAllLines(Paths.get(args[2]), StandardCharsets.UTF_8);
    String[] columns = lines.get(0).split("\t", -1);
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    for (String line : lines.subList(1, lines.size())) {
      out.println(answer(model, columns, line.split("\t", -1)));
    }
    out.flush();
  }

  private static GenModel model(String kind, String name) throws Exception {
    if (kind.equals("mojo")) return MojoModel.load(name);
    return (GenModel) Class.forName(name).getConstructor().newInstance();
  }

  private static String answer(EasyPredictModelWrapper model, String[] columns, String[] fields) {
    RowData row = new RowData();
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].startsWith("#")) row.put(text(columns[i]), Double.valueOf(fields[i].substring(1)));
      if (fields[i].startsWith("=")) row.put(text(columns[i]), text(fields[i].substring(1)));
    }
    try {
      StringBuilder numbers = new StringBuilder();
      for (double number : numbers(model, row)) {
        numbers.append(numbers.length() == 0 ? "" : "\t").append(number);
      }
      return numbers.toString();
    } catch (Exception e) {
      return "!" + String.valueOf(e.getMessage()).replaceAll("[\r\n\t]", " ");
    }
  }

  /** The predictions as they are; an autoencoder's error after its reconstruction. */
  private static double[] numbers(EasyPredictModelWrapper model, RowData row) throws Exception {
    if (model.getModelCategory() != ModelCategory.AutoEncoder) return model.predictRaw(row, 0);
    AutoEncoderModelPrediction prediction = model.predictAutoEncoder(row);
    double[] numbers = Arrays.copyOf(prediction.reconstructed, prediction.reconstructed.length + 1);
    numbers[numbers.length - 1] = prediction.mse;
    return numbers;
  }

  private static String text(String field) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\') {
        c = field.charAt(++i);
        c = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
      }
      text.append(c);
    }
    return text.toString();
  }
}
