package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.internal.json.JsonException;
import palyra.lib.cedar.internal.json.JsonReader;
import palyra.lib.cedar.internal.json.JsonWriter;
import palyra.lib.cedar.internal.text.Lexer;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.Token;

/**
 * Converts schemas. Cedar's converters read the bytes of Java's modified UTF-8 as if they were
 * UTF-8 and fail on NUL and on characters beyond U+FFFF, so these go in as escapes.
 */
final class SchemaConverter {
    private SchemaConverter() {}

    static Converted toJson(SchemaText schema) {
        List<Diagnostic> found = schema.check();
        if (found.stream().anyMatch(Diagnostic::isError) || schema.isJson()) {
            return result(schema.source().text(), found);
        }
        try {
            String json = NativeCalls.schemaToJson(escaped(schema.source().text()));
            return result(JsonWriter.write(ordered(JsonReader.answer(json).read())), found);
        } catch (NativeCalls.Refusal e) {
            return refused(schema, e);
        } catch (JsonException e) {
            throw new CedarException(
                    Reason.FAILED, "The Cedar engine made a schema that is not JSON.");
        }
    }

    static Converted toCedar(SchemaText schema) {
        List<Diagnostic> found = schema.check();
        if (found.stream().anyMatch(Diagnostic::isError) || !schema.isJson()) {
            return result(schema.source().text(), found);
        }
        try {
            return result(NativeCalls.schemaToCedar(schema.string()), found);
        } catch (NativeCalls.Refusal e) {
            return refused(schema, e);
        }
    }

    private static Converted result(String text, List<Diagnostic> found) {
        boolean wrong = found.stream().anyMatch(Diagnostic::isError);
        return new Converted(wrong ? "" : text, found);
    }

    /** Some valid schemas cannot be said in the other language; native code says why. */
    private static Converted refused(SchemaText schema, NativeCalls.Refusal why) {
        String file = schema.source().file();
        return new Converted("", List.of(Reports.error(file, why.getMessage())));
    }

    /** Returns the text with its comments blanked and what the converter cannot read escaped. */
    static String escaped(String text) {
        StringBuilder safe = new StringBuilder();
        int[] at = {0};
        Lexer.read(
                text,
                token -> {
                    safe.append(text, at[0], token.start());
                    String part = text.substring(token.start(), token.end());
                    if (token.kind() == Token.Kind.STRING) {
                        part.codePoints().forEach(c -> escape(safe, c));
                    } else if (token.kind() != Token.Kind.COMMENT) {
                        safe.append(part);
                    }
                    at[0] = token.end();
                    return true;
                });
        return safe.append(text, at[0], text.length()).toString();
    }

    private static void escape(StringBuilder safe, int codePoint) {
        if (codePoint == 0 || codePoint > 0xFFFF) {
            safe.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
        } else {
            safe.appendCodePoint(codePoint);
        }
    }

    /** Returns the value with the members of every object in the order of their names. */
    private static Object ordered(Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<String, Object> sorted = new TreeMap<>();
            members.forEach((key, each) -> sorted.put((String) key, ordered(each)));
            return sorted;
        }
        if (value instanceof List<?> items) {
            List<Object> same = new ArrayList<>();
            items.forEach(each -> same.add(ordered(each)));
            return same;
        }
        return value;
    }
}
