package palyra.skills.engine.endive.internal.code;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Compiled modules by digest; the least recently used go when they weigh too much together. */
final class CodeCache {
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Compiled> entries =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by lock
    private long weight; // guarded by lock
    private long evicted; // guarded by lock

    CodeCache(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    Optional<Compiled> get(String digest) {
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(digest));
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a module, unless it alone is too heavy. */
    void put(String digest, Compiled compiled) {
        if (compiled.weight() > mostBytes) {
            return;
        }
        lock.lock();
        try {
            Compiled old = entries.put(digest, compiled);
            weight += compiled.weight() - (old == null ? 0 : old.weight());
            Iterator<Compiled> oldest = entries.values().iterator();
            while (weight > mostBytes) {
                weight -= oldest.next().weight();
                oldest.remove();
                evicted++;
            }
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            entries.clear();
            weight = 0;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    long weight() {
        lock.lock();
        try {
            return weight;
        } finally {
            lock.unlock();
        }
    }

    long evicted() {
        lock.lock();
        try {
            return evicted;
        } finally {
            lock.unlock();
        }
    }
}
