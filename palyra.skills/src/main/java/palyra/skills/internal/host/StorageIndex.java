package palyra.skills.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.host.SkillStorage.Kept;
import palyra.skills.internal.host.SkillStorage.Page;

/** The keys of one skill: sizes, versions, quotas. Not thread-safe: its owner has a lock. */
final class StorageIndex {
    private final NavigableMap<String, Kept> keys = new TreeMap<>();
    private long lastVersion;

    /** Adds the stored values. */
    void found(Kept kept) {
        keys.put(kept.key(), kept);
        lastVersion = Math.max(lastVersion, kept.version());
    }

    void removed(String key) {
        keys.remove(key);
    }

    Kept get(String key) {
        return keys.get(key);
    }

    /**
     * Returns the version that a change will have. It never comes again, not even after everything
     * was deleted and the process restarted: it is at least the time.
     */
    long nextVersion() {
        lastVersion = Math.max(lastVersion + 1, System.currentTimeMillis());
        return lastVersion;
    }

    void requireVersion(String key, long expected) {
        Kept present = keys.get(key);
        long found = present == null ? 0 : present.version();
        if (expected != SkillStorage.ANY && expected != found) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Version "
                            + expected
                            + " of the key was expected, but there is "
                            + (found == 0 ? "none" : "version " + found)
                            + "; read it again.");
        }
    }

    void requireRoom(String key, int bytes, String prefix, long quota) {
        long used = key.length() + (long) bytes;
        for (Kept each : keys.tailMap(prefix, true).values()) {
            if (!each.key().startsWith(prefix)) {
                break;
            }
            used += each.key().equals(key) ? 0 : each.key().length() + each.bytes();
        }
        if (used > quota) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "With this value the prefix "
                            + prefix
                            + " would hold "
                            + used
                            + " bytes; the manifest asks for "
                            + quota
                            + ". Delete some keys.");
        }
        if (!keys.containsKey(key) && keys.size() >= SkillStorage.MOST_KEYS) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The skill has " + SkillStorage.MOST_KEYS + " keys already; delete some.");
        }
    }

    Page page(String prefix, String after, int limit) {
        List<Kept> page = new ArrayList<>();
        String from = after.compareTo(prefix) > 0 ? after : prefix;
        for (Kept each : keys.tailMap(from, true).values()) {
            if (!each.key().startsWith(prefix)) {
                break;
            }
            if (each.key().equals(after)) {
                continue;
            }
            if (page.size() == limit) {
                return new Page(List.copyOf(page), true);
            }
            page.add(each);
        }
        return new Page(List.copyOf(page), false);
    }
}
