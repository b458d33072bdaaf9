import hex.genmodel.GenModel;
import hex.genmodel.easy.EasyPredictModelWrapper;
import hex.genmodel.easy.RowData;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores rows with generated classes. Each line of the file that it is given names a kind, a class, a file of rows and one for the
 * answers: a line of numbers for each row.
 */
final class Classes {
  private interface Scorer {
    double[] score(String[] columns, String[] cells) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    for (String job : lines(args[0])) {
      String[] fields = job.split("\t");
      Scorer scorer = scorer(fields[0], Class.forName(fields[1]));
      List<String> lines = lines(fields[2]);
      String[] columns = lines.get(0).split("\t", -1);
      try (PrintWriter out = new PrintWriter(fields[3], "UTF-8")) {
        for (String line : lines.subList(1, lines.size())) {
          out.println(text(scorer.score(columns, line.split("\t", -1))));
        }
      }
    }
  }

  private static Scorer scorer(String kind, Class<?> type) throws Exception {
    switch (kind) {
      case "values": {
        Method score = type.getMethod("score", double[].class);
        return (columns, cells) -> {
          double[] row = new double[cells.length];
          for (int i = 0; i < row.length; i++) row[i] = Double.parseDouble(cells[i]);
          return (double[]) score.invoke(null, (Object) row);
        };
      }
      case "cells": {
        Method score = type.getMethod("score", Map.class);
        return (columns, cells) -> (double[]) score.invoke(null, row(new HashMap<>(), columns, cells));
      }
      default: {
        GenModel model = (GenModel) type.getConstructor().newInstance();
        EasyPredictModelWrapper wrapper = new EasyPredictModelWrapper(
            new EasyPredictModelWrapper.Config().setModel(model)
                .setConvertUnknownCategoricalLevelsToNa(true).setConvertInvalidNumbersToNa(true));
        return (columns, cells) -> {
          RowData row = new RowData();
          row(row, columns, cells);
          try {
            return wrapper.predictRaw(row, 0.0);
          } catch (IllegalStateException e) {
            if (!e.getMessage().endsWith("NaN!")) throw e;
            return new double[] {Double.NaN};
          }
        };
      }
    }
  }

  /** A cell is a text after `=`, a number after `#`, a whole number after `%`, a boolean after `?`, or missing. */
  private static Map<String, Object> row(Map<String, Object> row, String[] columns, String[] cells) {
    for (int i = 0; i < cells.length; i++) {
      if (cells[i].isEmpty()) continue;
      String value = cells[i].substring(1);
      String column = unescaped(columns[i]);
      switch (cells[i].charAt(0)) {
        case '#': row.put(column, Double.valueOf(value)); break;
        case '%': row.put(column, Long.valueOf(value)); break;
        case '?': row.put(column, Boolean.valueOf(value)); break;
        default: row.put(column, unescaped(value));
      }
    }
    return row;
  }

  private static String text(double[] numbers) {
    StringBuilder text = new StringBuilder();
    for (double number : numbers) text.append(text.length() == 0 ? "" : "\t").append(number);
    return text.toString();
  }

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(Paths.get(file), StandardCharsets.UTF_8);
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
