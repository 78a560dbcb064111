package palyra.api.channel;

import java.util.Set;
import palyra.api.Require;

/**
 * What a platform can do. It does not change while a connector is registered.
 *
 * @param maxCharacters longest text of one message as people read it, in UTF-16 units, without what
 *     the platform's form adds; at least 64
 * @param features what else it can do
 */
public record ConnectorCapabilities(int maxCharacters, Set<Feature> features) {
    /** A property of a platform. A later version may add some. */
    public enum Feature {
        /** Conversations have threads. */
        THREADS,
        /** Sent messages can be changed: {@link OutboundMessage#editOf}. */
        EDITS,
        /** Messages can have buttons: {@link OutboundMessage#buttons}. */
        BUTTONS,
        /** The account can react to messages: {@link OutboundMessage#reactionTo}. */
        REACTIONS,
        /** The account can show that it writes: {@link Connector#typing}. */
        TYPING,
        /**
         * {@link Connector#lookup} finds out whether a message arrived. Without this and {@link
         * #DEDUPLICATION} a message whose outcome is not known stays UNKNOWN, or is sent again, as
         * configured.
         */
        LOOKUP,
        /**
         * The platform drops a message whose key it has: what may have arrived is sent again, under
         * the same key.
         */
        DEDUPLICATION,
        /** Attached files can be fetched: {@link Connector#fetch}. */
        FILES_IN,
        /** Messages can carry files: {@link OutboundMessage#files}. */
        FILES_OUT
    }

    /** Checks and copies. */
    public ConnectorCapabilities {
        Require.that(
                maxCharacters >= 64,
                "the longest message has "
                        + maxCharacters
                        + " characters: a connector takes at least 64");
        features = Set.copyOf(features);
    }

    /** Returns capabilities. */
    public static ConnectorCapabilities of(int maxCharacters, Feature... features) {
        return new ConnectorCapabilities(maxCharacters, Set.of(features));
    }

    /** Returns whether the platform has a feature. */
    public boolean has(Feature feature) {
        return features.contains(feature);
    }
}
