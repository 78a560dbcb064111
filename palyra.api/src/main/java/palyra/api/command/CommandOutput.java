package palyra.api.command;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The writer for a command's results. The same calls give aligned text, or JSON when {@code --json}
 * was given: then standard output holds exactly one JSON value for each {@link #table} or {@link
 * #fields} call, one a line, and nothing else.
 */
@ProviderType
public interface CommandOutput {
    /**
     * Writes rows under headings; in JSON an array of objects with the headings in camel case as
     * keys.
     */
    void table(List<String> headings, List<List<String>> rows);

    /**
     * Writes one record as labelled lines; in JSON an object. Values may be String, Number,
     * Boolean, List or Map.
     */
    void fields(Map<String, ?> fields);

    /** Writes a line for a person; left out in JSON. */
    void line(String text);

    /**
     * Writes raw text at once, without a line end; in JSON it is left out. For streamed answers.
     */
    void raw(String text);

    /** Writes a line to standard error, in both forms. For progress and hints. */
    void note(String text);
}
