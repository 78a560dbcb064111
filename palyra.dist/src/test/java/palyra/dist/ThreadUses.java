package palyra.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the product's sources make threads and executors, compared with the list of those that need
 * no supervision.
 */
final class ThreadUses {
    /** Lines of a class, how often it makes some, and why that is right. */
    static final String LIST = "cnf/threads.txt";

    private static final String SUPERVISED = "palyra.shared.loop.SupervisedLoop";
    private static final List<String> NOT_SHIPPED =
            List.of("palyra.testing", "palyra.testing.discord", "palyra.bench");
    private static final Pattern COMMENTS = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

    /** The sandbox starts its threads by a method of its own, which hides what they are for. */
    private static final Pattern USES =
            Pattern.compile(
                    "\\bjava\\.util\\.Timer\\b|\\bnew\\s+((Scheduled)?ThreadPoolExecutor|Thread|ForkJoinPool)\\s*\\("
                            + "|\\bThread\\s*\\.\\s*(ofPlatform|ofVirtual|startVirtualThread)\\s*\\("
                            + "|\\bThread\\s*::\\s*new\\b|\\bextends\\s+(Thread|TimerTask)\\b"
                            + "|\\bExecutors\\s*(\\.|::)\\s*new\\w+|\\bThreads\\s*(\\.|::)\\s*start\\b"
                            + "|\\bForkJoinPool\\s*\\.\\s*commonPool|\\bparallelStream\\s*\\("
                            + "|\\b(supply|run)Async\\s*\\(");

    private ThreadUses() {}

    /** An entry of the list. */
    record Entry(int count, String reason) {}

    /** Returns how many threads and executors a source file makes. */
    static int count(String source) {
        return (int) USES.matcher(COMMENTS.matcher(source).replaceAll("")).results().count();
    }

    /** Returns the classes of the product that make threads, and how many. */
    static Map<String, Integer> found(Path root) throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                Path sources = module.resolve("src/main/java");
                String name = module.getFileName().toString();
                if (!NOT_SHIPPED.contains(name) && Files.isDirectory(sources)) {
                    look(sources, found);
                }
            }
        }
        return found;
    }

    private static void look(Path sources, Map<String, Integer> found) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(
                            file -> {
                                int count = count(read(file));
                                if (count > 0) {
                                    found.merge(name(sources, file), count, Integer::sum);
                                }
                            });
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path sources, Path file) {
        String path = sources.relativize(file).toString().replace('\\', '/');
        return path.substring(0, path.length() - ".java".length()).replace('/', '.');
    }

    /** Reads a list; lines that begin with # say nothing. */
    static Map<String, Entry> parse(List<String> lines) {
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.strip().split("\\s+", 3);
                Entry entry =
                        new Entry(Integer.parseInt(parts[1]), parts.length < 3 ? "" : parts[2]);
                if (entries.put(parts[0], entry) != null) {
                    throw new IllegalArgumentException(parts[0] + " stands twice in the list");
                }
            }
        }
        return entries;
    }

    /** Returns a sentence for each difference. */
    static List<String> breaches(Map<String, Integer> found, Map<String, Entry> listed) {
        List<String> breaches = new ArrayList<>();
        new TreeMap<>(found)
                .forEach(
                        (name, count) -> {
                            Entry entry = listed.get(name);
                            if (!name.equals(SUPERVISED)
                                    && (entry == null || entry.count() != count)) {
                                breaches.add(
                                        unlisted(name, count, entry == null ? 0 : entry.count()));
                            }
                        });
        new TreeMap<>(listed)
                .forEach(
                        (name, entry) -> {
                            if (!found.containsKey(name)) {
                                breaches.add(
                                        name
                                                + " makes no threads any more: remove it from "
                                                + LIST
                                                + ".");
                            }
                            if (entry.reason().split(" ").length < 2) {
                                breaches.add(
                                        name + " has no reason in " + LIST + ": say why it may.");
                            }
                        });
        return breaches;
    }

    private static String unlisted(String name, int count, int before) {
        return name
                + " makes "
                + count
                + " threads or executors and "
                + LIST
                + " says "
                + before
                + ": make a thread that lives as long as its bundle a SupervisedLoop or a"
                + " SupervisedTimer and offer it as LoopSource; list one that ends with its task,"
                + " with the reason.";
    }
}
