package palyra.skills.engine.wasmtime.internal.worker;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/** Bytes of modules by digest; the least recently used go when they are too many. */
final class ModuleStore {
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, byte[]> modules =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by lock
    private long bytes; // guarded by lock

    ModuleStore(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    void put(Messages.Code code) {
        lock.lock();
        try {
            byte[] old = modules.put(code.digest(), code.module());
            bytes += code.module().length - (old == null ? 0 : old.length);
            Iterator<byte[]> oldest = modules.values().iterator();
            while (bytes > mostBytes && modules.size() > 1) {
                bytes -= oldest.next().length;
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    Optional<byte[]> get(String digest) {
        lock.lock();
        try {
            return Optional.ofNullable(modules.get(digest));
        } finally {
            lock.unlock();
        }
    }
}
