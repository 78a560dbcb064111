package palyra.sandbox.internal.run;

import java.net.URI;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;

/**
 * TCP ports on which this gateway listens: no command and no connection that leaves may reach them
 * on this host. A port stays forbidden after its endpoint went, because an endpoint that is
 * replaced comes back on its port, and a command that started in between must not find it open.
 * Thread-safe.
 */
public final class OwnPorts {
    /** Most ports remembered of endpoints that went. */
    static final int MOST_GONE = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Endpoint, Set<Integer>> ports = new IdentityHashMap<>(); // guarded by lock
    private final Set<Integer> gone = new LinkedHashSet<>(); // guarded by lock; oldest first
    private volatile Runnable onChange = () -> {};

    /** Calls {@code listener} after each change, on the thread that announces it. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Takes an endpoint, or what changed about it; returns when the listener has. */
    public void put(Endpoint endpoint, Map<String, ?> properties) {
        Set<Integer> its = ports(properties.get(Ops.ENDPOINT_URI));
        lock.lock();
        try {
            remember(ports.put(endpoint, its));
        } finally {
            lock.unlock();
        }
        onChange.run();
    }

    /** Takes an endpoint away; its ports stay forbidden. */
    public void remove(Endpoint endpoint) {
        lock.lock();
        try {
            remember(ports.remove(endpoint));
        } finally {
            lock.unlock();
        }
    }

    /** Keeps ports of an endpoint, maybe null; the oldest are forgotten. Called under the lock. */
    private void remember(Set<Integer> its) {
        if (its == null) {
            return;
        }
        gone.removeAll(its);
        gone.addAll(its);
        var oldest = gone.iterator();
        for (int many = gone.size(); many > MOST_GONE; many--) {
            oldest.next();
            oldest.remove();
        }
    }

    /** Returns the ports, in order. */
    public Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        lock.lock();
        try {
            all.addAll(gone);
            ports.values().forEach(all::addAll);
        } finally {
            lock.unlock();
        }
        return all;
    }

    /** Returns whether something listens on a port now. */
    public boolean isOpen(int port) {
        return open().contains(port);
    }

    /** Returns the ports on which something listens now, in order. */
    Set<Integer> open() {
        Set<Integer> open = new TreeSet<>();
        lock.lock();
        try {
            ports.values().forEach(open::addAll);
        } finally {
            lock.unlock();
        }
        return open;
    }

    private static Set<Integer> ports(Object uris) {
        Set<Integer> found = new TreeSet<>();
        if (uris instanceof String one) {
            port(one, found);
        } else if (uris instanceof String[] several) {
            for (String one : several) {
                port(one, found);
            }
        } else if (uris instanceof Collection<?> several) {
            several.forEach(one -> port(String.valueOf(one), found));
        }
        return found;
    }

    private static void port(String uri, Set<Integer> found) {
        try {
            URI parsed = URI.create(uri);
            String scheme = String.valueOf(parsed.getScheme());
            if (parsed.getPort() > 0) {
                found.add(parsed.getPort());
            } else if (scheme.equalsIgnoreCase("http")) {
                found.add(80);
            } else if (scheme.equalsIgnoreCase("https")) {
                found.add(443);
            }
        } catch (IllegalArgumentException e) {
            return; // not a URI, so no port
        }
    }
}
