package palyra.testing.wasm.suite;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates a script of the suite from the JavaScript that Mozilla makes of it (SpiderMonkey's
 * {@code js/src/jit-test/tests/wasm/spec}, by its tool wast2js) back into the format of the suite.
 * It knows the few statements that the tool writes. Values of other types than the four numbers
 * become a reference, regardless of their type. Not thread-safe.
 */
final class MozillaScript {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\s+|//[^\\n]*|/\\*(?:[^*]|\\*(?!/))*+\\*/"
                            + "|(`[^`\\\\]*+(?:\\\\(?s:.)[^`\\\\]*+)*+`|\"[^\"]*\"|'[^']*'|=>|-?[\\w.$]+(?:[+-]\\d+n?)?|[-(){}\\[\\],;=!])");
    private static final Pattern HEAD = Pattern.compile("^\\(module(\\s+\\$[^\\s()]+)?");
    private static final String OTHER_VALUE = "(ref.null func)";

    private final List<String> tokens = new ArrayList<>();
    private final StringBuilder out = new StringBuilder();
    private int at;

    private MozillaScript(String source) {
        Matcher matcher = TOKEN.matcher(source);
        int end = 0;
        while (matcher.find()) {
            if (matcher.start() != end) {
                throw new IllegalArgumentException(
                        "not JavaScript of wast2js: " + rest(source, end));
            }
            if (matcher.group(1) != null) {
                tokens.add(matcher.group(1));
            }
            end = matcher.end();
        }
        if (end != source.length()) {
            throw new IllegalArgumentException("not JavaScript of wast2js: " + rest(source, end));
        }
    }

    private static String rest(String source, int from) {
        return source.substring(from, Math.min(source.length(), from + 60));
    }

    /** Returns the script in the format of the suite. */
    static String translate(String javascript) {
        MozillaScript script = new MozillaScript(javascript);
        while (script.at < script.tokens.size()) {
            script.statement();
        }
        return script.out.toString();
    }

    private String next() {
        return tokens.get(at++);
    }

    private boolean is(String token) {
        return at < tokens.size() && tokens.get(at).equals(token);
    }

    private void take(String... expected) {
        for (String each : expected) {
            String found = next();
            if (!found.equals(each)) {
                throw new IllegalArgumentException(
                        "'"
                                + each
                                + "' expected, found "
                                + tokens.subList(Math.max(0, at - 12), at));
            }
        }
    }

    private void close() {
        if (is(",")) {
            next();
        }
        take(")");
    }

    private void statement() {
        String word = next();
        switch (word) {
            case ";", "}" -> {}
            case "if" -> {
                while (!next().equals("{")) {
                    // the condition is about a feature that the suite's core does not have
                }
            }
            case "let" -> {
                String name = next();
                take("=", "instantiate", "(");
                out.append(
                                HEAD.matcher(template())
                                        .replaceFirst("(module \\$__" + name.substring(1)))
                        .append('\n');
                take(")");
            }
            case "register" -> {
                take("(");
                String module = next();
                take(",");
                String as = quoted(template());
                out.append("(register ")
                        .append(as)
                        .append(' ')
                        .append(reference(module))
                        .append(")\n");
                take(")");
            }
            case "invoke" -> out.append(action(word)).append('\n');
            default -> assertion(word);
        }
    }

    private static String reference(String variable) {
        return "$__" + variable.substring(1);
    }

    private void assertion(String word) {
        if (!word.startsWith("assert_")) {
            throw new IllegalArgumentException("not a statement of wast2js: " + word);
        }
        take("(", "(", ")", "=>");
        String what = next();
        String subject = what.equals("instantiate") ? module() : action(what);
        take(",");
        String rest = is("[") ? values() : quoted(template());
        close();
        if (!word.equals("assert_malformed") || subject.matches("(?s)\\(module\\s+binary.*")) {
            out.append('(').append(word).append(' ').append(subject).append(' ').append(rest);
            out.append(")\n");
        }
    }

    private String module() {
        take("(");
        String text = template();
        close();
        return text.startsWith("(module") ? text : "(module " + text + ")";
    }

    private String action(String word) {
        take("(");
        String module = reference(next());
        take(",");
        String field = quoted(template());
        String arguments = "";
        if (is(",")) {
            next();
            arguments = values();
        }
        close();
        return "(" + word + " " + module + " " + field + " " + arguments + ")";
    }

    private String values() {
        StringBuilder values = new StringBuilder();
        take("[");
        while (!is("]")) {
            if (is(",")) {
                next();
            } else {
                values.append(value()).append(' ');
            }
        }
        next();
        return values.toString();
    }

    private String value() {
        String word = next();
        if (word.startsWith("`")) {
            return word.contains("nan")
                    ? "(f64.const nan:" + word.substring(1).replace("_nan`", ")")
                    : OTHER_VALUE;
        }
        if (word.matches("-?\\d.*")) {
            return word.endsWith("n")
                    ? "(i64.const " + word.substring(0, word.length() - 1) + ")"
                    : "(i32.const " + word + ")";
        }
        if (word.matches("value|bytes") && tokens.get(at + 1).matches(".[if](32|64).")) {
            take("(");
            String type = next().replaceAll("[\"']", "");
            take(",");
            String number = word.equals("value") ? number(type, next()) : bytes();
            take(")");
            return "(" + type + ".const " + number + ")";
        }
        skip();
        return OTHER_VALUE;
    }

    /** Passes over the rest of a value that no number type has. */
    private void skip() {
        int depth = 0;
        while (depth > 0 || !(is(",") || is("]") || is(")"))) {
            String token = next();
            depth += token.equals("(") || token.equals("[") ? 1 : 0;
            depth -= token.equals(")") || token.equals("]") ? 1 : 0;
        }
    }

    private static String number(String type, String javascript) {
        String text = javascript.replace("Infinity", "inf").replace("NaN", "nan");
        if (type.startsWith("i") || text.contains("inf") || text.contains("nan")) {
            return text.endsWith("n") && type.equals("i64")
                    ? text.substring(0, text.length() - 1)
                    : text;
        }
        return type.equals("f32")
                ? Float.toHexString((float) Double.parseDouble(text))
                : Double.toHexString(Double.parseDouble(text));
    }

    /** Reads bytes of a float, lowest first. */
    private String bytes() {
        take("[");
        long bits = 0;
        int count = 0;
        while (!is("]")) {
            String token = next();
            if (!token.equals(",")) {
                bits |= Long.decode(token) << (8 * count++);
            }
        }
        next();
        boolean wide = count == 8;
        double value = wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
        if (!Double.isNaN(value)) {
            return wide ? Double.toHexString(value) : Float.toHexString((float) value);
        }
        long payload = bits & (wide ? 0xF_FFFF_FFFF_FFFFL : 0x7F_FFFFL);
        String sign = (bits >>> (8 * count - 1)) != 0 ? "-" : "";
        return sign + "nan:0x" + Long.toHexString(payload).toLowerCase(Locale.ROOT);
    }

    private String template() {
        String token = next();
        if (!token.startsWith("`")) {
            throw new IllegalArgumentException("a text expected, found " + token);
        }
        String text = token.substring(1, token.length() - 1);
        return Pattern.compile("\\\\(x[0-9a-fA-F]{2}|u\\{[0-9a-fA-F]+\\}|u[0-9a-fA-F]{4}|(?s:.))")
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(unescaped(found.group(1))));
    }

    private static String unescaped(String escape) {
        if (escape.length() > 1) {
            String digits = escape.replaceAll("^[xu]\\{?|\\}$", "");
            return Character.toString(Integer.parseInt(digits, 16));
        }
        return switch (escape) {
            case "n" -> "\n";
            case "r" -> "\r";
            case "t" -> "\t";
            case "0" -> "\0";
            default -> escape;
        };
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            if (each >= 0x20 && each < 0x7F && each != '"' && each != '\\') {
                quoted.append((char) each);
            } else {
                quoted.append(String.format(Locale.ROOT, "\\%02x", each & 0xFF));
            }
        }
        return quoted.append('"').toString();
    }
}
