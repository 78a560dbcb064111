package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.internal.json.JsonException;
import palyra.lib.cedar.internal.json.JsonReader;
import palyra.lib.cedar.internal.json.JsonWriter;
import palyra.lib.cedar.internal.text.Decoder;
import palyra.lib.cedar.internal.text.Reports;
import palyra.lib.cedar.internal.text.SourceText;

/** A schema in either language, after the checks that need no native code. */
final class SchemaText {
    private final SourceText source;
    private final Map<String, Object> json;

    private SchemaText(SourceText source, Map<String, Object> json) {
        this.source = source;
        this.json = json;
    }

    /** Returns the schema; empty when something was added to {@code problems}. */
    static Optional<SchemaText> read(
            CedarFile file, PolicySetLimits limits, List<Diagnostic> problems) {
        Optional<SourceText> source = Decoder.decode(file, limits.schemaBytes(), problems);
        if (source.isEmpty()) {
            return Optional.empty();
        }
        SourceText text = source.get();
        return text.text().stripLeading().startsWith("{")
                ? readJson(text, problems)
                : readCedar(text, problems);
    }

    private static Optional<SchemaText> readCedar(SourceText text, List<Diagnostic> problems) {
        int before = problems.size();
        CedarSchemaScanner.scan(text, problems);
        return problems.size() > before
                ? Optional.empty()
                : Optional.of(new SchemaText(text, null));
    }

    private static Optional<SchemaText> readJson(SourceText text, List<Diagnostic> problems) {
        try {
            Map<String, Object> json = NativeCalls.map(JsonReader.lenient(text.text()).read());
            String problem = JsonSchemaScanner.problem(json);
            if (problem.isEmpty()) {
                return Optional.of(new SchemaText(text, json));
            }
            problems.add(Reports.error(text.file(), problem));
        } catch (JsonException e) {
            problems.add(Reports.error(text, e.offset(), e.offset(), e.getMessage()));
        }
        return Optional.empty();
    }

    boolean isJson() {
        return json != null;
    }

    SourceText source() {
        return source;
    }

    /** Returns what operations take: text for the Cedar language, an object for JSON. */
    Object argument() {
        return isJson() ? json : source.text();
    }

    /** Returns it as one string. */
    String string() {
        return isJson() ? JsonWriter.writeAscii(json) : source.text();
    }

    /** Checks it with native code and returns its problems. */
    List<Diagnostic> check() {
        List<Diagnostic> found = new ArrayList<>();
        Map<String, Object> answer =
                NativeCalls.operation(
                        "ValidateOperation", Map.of("schema", argument(), "policies", Map.of()));
        String type = NativeCalls.text(answer.get("type"));
        boolean valid = type.equals("success");
        if (!valid) {
            add(found, Severity.ERROR, answer.get("errors"));
            if (found.isEmpty()) {
                found.add(
                        Reports.error(
                                source.file(), "Cedar refused the schema and gave no reason"));
            }
        }
        add(found, Severity.WARNING, answer.get(valid ? "otherWarnings" : "warnings"));
        return found;
    }

    private void add(List<Diagnostic> found, Severity severity, Object errors) {
        if (errors instanceof List<?> list) {
            for (Object each : list) {
                Map<String, Object> error = NativeCalls.map(each);
                String prefix =
                        isJson()
                                ? "failed to parse schema from JSON: "
                                : "failed to parse schema from string: error parsing schema: ";
                if (isJson()) {
                    found.add(inJson(severity, error, prefix));
                } else {
                    NativeErrors.add(
                            found, severity, NativeErrors.Base.whole(source), error, prefix);
                }
            }
        }
    }

    /** Native code gives no places in JSON: the first quoted name of the message is looked for. */
    private Diagnostic inJson(Severity severity, Map<String, Object> error, String prefix) {
        String message = NativeCalls.textOrEmpty(error.get("message"));
        String plain = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        int open = plain.indexOf('`');
        int close = plain.indexOf('`', open + 1);
        String name =
                open >= 0 && close > open
                        ? plain.substring(open + 1, close)
                        : plain.substring(plain.lastIndexOf(' ') + 1);
        int place = source.text().indexOf(JsonWriter.write(name));
        String help = NativeCalls.textOrEmpty(error.get("help"));
        if (place < 0) {
            return new Diagnostic(
                    severity,
                    source.file(),
                    0,
                    0,
                    0,
                    SourceText.printable(plain),
                    help,
                    "",
                    "",
                    "");
        }
        int end = place + JsonWriter.write(name).length();
        return Reports.at(severity, source, place, end, plain, help, "");
    }
}
