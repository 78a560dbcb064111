package palyra.sandbox.internal.process;

import java.net.URI;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;

/** TCP ports on which this gateway listens: no command may reach them. Thread-safe. */
public final class OwnPorts {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Endpoint, Set<Integer>> ports = new IdentityHashMap<>(); // guarded by lock

    /** Takes an endpoint, or what changed about it. */
    public void put(Endpoint endpoint, Map<String, ?> properties) {
        Set<Integer> its = ports(properties.get(Ops.ENDPOINT_URI));
        lock.lock();
        try {
            ports.put(endpoint, its);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets an endpoint that is gone. */
    public void remove(Endpoint endpoint) {
        lock.lock();
        try {
            ports.remove(endpoint);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the ports, in order. */
    public Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        lock.lock();
        try {
            ports.values().forEach(all::addAll);
        } finally {
            lock.unlock();
        }
        return all;
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
            int port = URI.create(uri).getPort();
            if (port > 0) {
                found.add(port);
            }
        } catch (IllegalArgumentException e) {
            return; // what is no URI names no port
        }
    }
}
