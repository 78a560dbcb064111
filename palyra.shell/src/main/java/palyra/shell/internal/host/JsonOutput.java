package palyra.shell.internal.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandOutput;

/** Results for programs: one JSON value a line on standard output and nothing else. */
final class JsonOutput implements CommandOutput {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private final TextWriter out;
    private final TextWriter err;

    JsonOutput(TextWriter out, TextWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public void table(List<String> headings, List<? extends List<?>> rows) {
        List<String> keys = headings.stream().map(JsonOutput::camelCase).toList();
        write(rows.stream().map(row -> object(keys, row)).toList());
    }

    private static Map<String, Object> object(List<String> keys, List<?> row) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            object.put(keys.get(i), i < row.size() ? row.get(i) : null);
        }
        return object;
    }

    static String camelCase(String heading) {
        StringBuilder key = new StringBuilder();
        for (String word : heading.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
            if (!word.isEmpty()) {
                key.append(
                        key.isEmpty()
                                ? word
                                : Character.toUpperCase(word.charAt(0)) + word.substring(1));
            }
        }
        return key.toString();
    }

    @Override
    public void fields(Map<String, ?> fields) {
        write(fields);
    }

    private void write(Object value) {
        try {
            out.write(MAPPER.writeValueAsString(value) + "\n");
        } catch (JsonProcessingException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The result has no JSON form: " + e.getOriginalMessage(),
                    e);
        }
    }

    @Override
    public void line(String text) {
        // Left out: standard output holds JSON alone.
    }

    @Override
    public void raw(String text) {
        // Left out: standard output holds JSON alone.
    }

    @Override
    public void note(String text) {
        err.write(SafeText.block(text) + "\n");
    }
}
