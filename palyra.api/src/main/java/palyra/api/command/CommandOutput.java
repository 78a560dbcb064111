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
     *
     * <p>A cell may be a String, a Number, a Boolean, a List or Map of these, or null. JSON has the
     * values as they are. Text has {@code yes} or {@code no} for a Boolean, the entries of a List
     * or Map with commas between them, and {@code -} for null and what is empty. A heading for a
     * number names its unit, so that its key in JSON does: {@code Size bytes}.
     *
     * @param rows each with a cell for every heading
     */
    void table(List<String> headings, List<? extends List<?>> rows);

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

    /** Writes a line to standard error, in both forms. For hints. */
    void note(String text);

    /**
     * Says what the command does now, such as {@code verified 3 of 10 runs}. A terminal shows the
     * last of them, with the time that has passed, while the command is silent for over a second;
     * elsewhere it is left out. Cheap, so a loop may call it each time.
     *
     * @param text a few words, one line
     */
    default void progress(String text) {}
}
