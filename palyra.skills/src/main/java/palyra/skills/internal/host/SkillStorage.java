package palyra.skills.internal.host;

import java.util.List;
import java.util.Optional;

/**
 * Values that skills store between calls, by skill and key. They stay when a skill is updated and
 * are deleted with it. Thread-safe. A change is durable, whole, when its method returns; after a
 * crash it is there as a whole or not at all.
 *
 * <p>Methods throw {@link palyra.api.PalyraException}: TOOL_UNAVAILABLE when the medium fails,
 * CORRUPT when a stored value does not match its digest.
 */
public interface SkillStorage {
    /** Largest value in bytes. */
    int MOST_VALUE = 1 << 20;

    /** Most keys of one skill. */
    int MOST_KEYS = 10_000;

    /** Matches any version. */
    long ANY = -1;

    /**
     * A value.
     *
     * @param value its bytes; the caller's own
     * @param version rises with every change of any key of the skill
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over
    record StoredLedger(byte[] value, long version) {}

    /** A key with the size of its value in bytes, and its version. */
    record Kept(String key, long bytes, long version) {}

    /** Keys in order, and whether there are more. */
    record Page(List<Kept> keys, boolean more) {}

    /** Returns a value. */
    Optional<StoredLedger> get(String skill, String key);

    /**
     * Keeps a value.
     *
     * @param ifVersion version that it takes the place of: 0 when there may be none, {@link #ANY}
     *     for any version or none
     * @param prefix what counts for the quota: keys that begin with it
     * @param quota most bytes of keys and values under the prefix
     * @return its version
     * @throws palyra.api.PalyraException CONFLICT when another version is there, RESOURCE_EXHAUSTED
     *     when it would go beyond the quota
     */
    long put(String skill, String key, byte[] value, long ifVersion, String prefix, long quota);

    /** Forgets a value; false when there was none. */
    boolean delete(String skill, String key);

    /** Returns keys that begin with a prefix, after another key, at most so many. */
    Page list(String skill, String prefix, String after, int limit);

    /** Forgets everything of a skill, because it was removed. */
    void forget(String skill);
}
