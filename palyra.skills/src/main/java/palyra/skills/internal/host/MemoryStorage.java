package palyra.skills.internal.host;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Storage for a module that is tried out: it is gone with this object. */
public final class MemoryStorage implements SkillStorage {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, StorageIndex> indexes = new HashMap<>(); // guarded by lock
    private final Map<String, byte[]> values = new HashMap<>(); // guarded by lock; SKILL NUL KEY

    private StorageIndex index(String skill) {
        return indexes.computeIfAbsent(skill, each -> new StorageIndex());
    }

    @Override
    public Optional<StoredLedger> get(String skill, String key) {
        lock.lock();
        try {
            Kept kept = index(skill).get(key);
            return kept == null
                    ? Optional.empty()
                    : Optional.of(
                            new StoredLedger(
                                    values.get(place(skill, key)).clone(), kept.version()));
        } finally {
            lock.unlock();
        }
    }

    private static String place(String skill, String key) {
        return skill + "\0" + key;
    }

    @Override
    public long put(
            String skill, String key, byte[] value, long ifVersion, String prefix, long quota) {
        lock.lock();
        try {
            StorageIndex index = index(skill);
            index.requireVersion(key, ifVersion);
            index.requireRoom(key, value.length, prefix, quota);
            long version = index.nextVersion();
            index.found(new Kept(key, value.length, version));
            values.put(place(skill, key), value.clone());
            return version;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean delete(String skill, String key) {
        lock.lock();
        try {
            index(skill).removed(key);
            return values.remove(place(skill, key)) != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Page list(String skill, String prefix, String after, int limit) {
        lock.lock();
        try {
            return index(skill).page(prefix, after, limit);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forget(String skill) {
        lock.lock();
        try {
            indexes.remove(skill);
            values.keySet().removeIf(each -> each.startsWith(skill + "\0"));
        } finally {
            lock.unlock();
        }
    }
}
