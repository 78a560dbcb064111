package palyra.lib.cedar;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy or template that parsed.
 *
 * @param id {@code file#n}, n from 1 in the order of the file: the id that decisions report
 * @param name the annotation {@code @id}; empty if absent
 * @param template whether it has slots
 * @param file the file that holds it
 * @param line line of its first character, from 1
 * @param column column of its first character in code points, from 1
 * @param text its source text, from the first annotation or keyword to the semicolon
 * @param annotations all annotations in no particular order; one without a value has an empty one
 * @param json its official JSON form (EST)
 */
public record CompiledPolicy(
        String id,
        String name,
        boolean template,
        String file,
        int line,
        int column,
        String text,
        Map<String, String> annotations,
        String json) {
    /** Copies the annotations. */
    public CompiledPolicy {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    }
}
