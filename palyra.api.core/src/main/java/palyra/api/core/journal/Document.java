package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A small value with a name that is kept as a whole: an agent, a binding, an API token, a policy
 * snapshot.
 *
 * @param collection what sort of thing, such as {@code agent}
 * @param key its name within the collection
 * @param version counts its changes, from 1
 * @param content canonical JSON; not copied
 * @param updatedAtMillis unix time in milliseconds
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record Document(
        String collection, String key, long version, byte[] content, long updatedAtMillis) {
    /** Checks. */
    public Document {
        Require.text(collection, "collection");
        Require.text(key, "key");
        Require.present(content, "content");
    }
}
