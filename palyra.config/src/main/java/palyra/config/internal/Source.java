package palyra.config.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * One source of configuration: a file or an override.
 *
 * @param id layer and file
 * @param target what it configures
 * @param sha256 digest of its bytes in lower-case hex; empty when they could not be read
 * @param content its content
 */
record Source(Id id, Target target, String sha256, Content content) {

    /**
     * Identity of a source.
     *
     * @param layer its layer
     * @param file file name; for the override layer the PID
     */
    record Id(Layer layer, String file) implements Comparable<Id> {
        @Override
        public int compareTo(Id other) {
            int byLayer = layer.compareTo(other.layer);
            return byLayer != 0 ? byLayer : file.compareTo(other.file);
        }

        /** Returns its name in messages. */
        @Override
        public String toString() {
            return layer == Layer.OVERRIDE ? "--set " + file : layer.label() + " file " + file;
        }
    }

    /** Content of a source. */
    sealed interface Content {}

    /** A JSON object. */
    record Json(ObjectNode object) implements Content {}

    /** Settings as plain text, converted by their types. */
    record Texts(Map<String, String> settings) implements Content {
        Texts {
            settings = Map.copyOf(new TreeMap<>(settings));
        }
    }

    /** Unusable content; {@code reason} does not name the file. */
    record Broken(String reason, String remedy) implements Content {}
}
