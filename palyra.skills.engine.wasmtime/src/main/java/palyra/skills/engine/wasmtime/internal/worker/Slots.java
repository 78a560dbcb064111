package palyra.skills.engine.wasmtime.internal.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/** Gives calls to slots: to a free one that has the module, to another free one, or later. */
final class Slots {
    private final FrameStream frames;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Slot> free = new ArrayDeque<>(); // guarded by lock; longest free first
    private final Deque<Task> waiting = new ArrayDeque<>(); // guarded by lock
    private final Map<Long, Task> tasks = new HashMap<>(); // guarded by lock
    private final List<Slot> all = new ArrayList<>();

    Slots(int count, ModuleStore moduleStore, FrameStream frames) {
        this.frames = frames;
        for (int at = 0; at < count; at++) {
            Slot slot = new Slot(at, moduleStore, this);
            all.add(slot);
            free.add(slot);
        }
    }

    void order(long call, Messages.Order order) {
        Task task = new Task(call, order, frames);
        lock.lock();
        try {
            tasks.put(call, task);
            Slot slot = choose(order.digest());
            if (slot == null) {
                waiting.add(task);
            } else {
                slot.run(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes out the best free slot; called with the lock. */
    private Slot choose(String digest) {
        for (Slot slot : free) {
            if (slot.has(digest)) {
                free.remove(slot);
                return slot;
            }
        }
        return free.poll();
    }

    /** Called by a slot whose task is over; returns the next one, or null when it is free now. */
    Task next(Slot slot, Task over) {
        lock.lock();
        try {
            tasks.remove(over.call(), over);
            Task next = waiting.poll();
            if (next == null) {
                free.add(slot);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    void cancel(long call) {
        Task task = find(call);
        if (task != null) {
            task.cancel();
            all.forEach(slot -> slot.interrupt(task));
        }
    }

    void deliver(Frame frame) {
        Task task = find(frame.call());
        if (task != null) {
            task.deliver(frame);
        }
    }

    private Task find(long call) {
        lock.lock();
        try {
            return tasks.get(call);
        } finally {
            lock.unlock();
        }
    }
}
