package palyra.config.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * One piece of configuration as it was found.
 *
 * @param id where
 * @param target what it configures
 * @param sha256 digest of its bytes in lower-case hex; empty when they could not be read
 * @param content what it says
 */
record Source(Id id, Target target, String sha256, Content content) {

    /**
     * Where a piece of configuration stands.
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

        /** Returns how it is called in sentences. */
        @Override
        public String toString() {
            return layer == Layer.OVERRIDE ? "--set " + file : layer.label() + " file " + file;
        }
    }

    /** What was found there. */
    sealed interface Content {}

    /** A JSON object. */
    record Json(ObjectNode object) implements Content {}

    /** Settings as plain text, to be read as their types ask. */
    record Texts(Map<String, String> settings) implements Content {
        Texts {
            settings = Map.copyOf(new TreeMap<>(settings));
        }
    }

    /** Nothing usable; {@code reason} says why, without the name of the file. */
    record Broken(String reason, String remedy) implements Content {}
}
