package palyra.console.internal.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the handler of a request by method and path. In a pattern, a segment such as {@code {id}}
 * stands for one segment, and {@code {rest*}} at the end for all that follow. Built once, then read
 * by many threads.
 */
public final class Router {
    private record Route(
            String method,
            List<String> segments,
            boolean open,
            Handler before,
            boolean file,
            Handler handler) {}

    /**
     * A handler and what the path had for the segments of its pattern.
     *
     * @param open whether a request without a session is let through
     * @param before refuses a request of which the body was not read yet
     * @param file whether the body has a file
     */
    public record Match(
            Handler handler,
            boolean open,
            Handler before,
            boolean file,
            Map<String, String> segments) {}

    private final List<Route> routes = new ArrayList<>();

    /** Adds a page that needs a session. */
    public Router get(String pattern, Handler handler) {
        return add("GET", pattern, false, handler);
    }

    /** Adds a change, which needs a session and its CSRF token. */
    public Router post(String pattern, Handler handler) {
        return add("POST", pattern, false, handler);
    }

    /**
     * Adds a change with a file.
     *
     * @param before refuses who may not, and what is too large, before the body is read
     */
    public Router upload(String pattern, Handler before, Handler handler) {
        routes.add(new Route("POST", split(pattern), false, before, true, handler));
        return this;
    }

    /** Adds what is answered without a session. */
    public Router open(String method, String pattern, Handler handler) {
        return add(method, pattern, true, handler);
    }

    private Router add(String method, String pattern, boolean open, Handler handler) {
        routes.add(new Route(method, split(pattern), open, FormBound::require, false, handler));
        return this;
    }

    /** Returns the first route that fits; a HEAD request is answered by the route of GET. */
    Optional<Match> find(String method, String path) {
        List<String> segments = split(path);
        String asked = method.equals("HEAD") ? "GET" : method;
        for (Route route : routes) {
            Optional<Map<String, String>> values =
                    route.method().equals(asked)
                            ? match(route.segments(), segments)
                            : Optional.empty();
            if (values.isPresent()) {
                return Optional.of(
                        new Match(
                                route.handler(),
                                route.open(),
                                route.before(),
                                route.file(),
                                values.get()));
            }
        }
        return Optional.empty();
    }

    /** Returns whether a path has a handler for another method. */
    boolean knows(String path) {
        List<String> segments = split(path);
        return routes.stream().anyMatch(route -> match(route.segments(), segments).isPresent());
    }

    private static Optional<Map<String, String>> match(List<String> pattern, List<String> path) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            String segment = pattern.get(i);
            if (segment.endsWith("*}")) {
                int from = Math.min(i, path.size());
                values.put(
                        segment.substring(1, segment.length() - 2),
                        String.join("/", path.subList(from, path.size())));
                return Optional.of(values);
            }
            if (i >= path.size()) {
                return Optional.empty();
            }
            if (segment.startsWith("{")) {
                values.put(segment.substring(1, segment.length() - 1), path.get(i));
            } else if (!segment.equals(path.get(i))) {
                return Optional.empty();
            }
        }
        return pattern.size() == path.size() ? Optional.of(values) : Optional.empty();
    }

    private static List<String> split(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/")) {
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        return segments;
    }
}
