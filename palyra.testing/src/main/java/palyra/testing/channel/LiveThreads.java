package palyra.testing.channel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import palyra.testing.http.LoopbackEgress;

/**
 * The threads that live at a moment, virtual ones too, without those that the JVM keeps itself and
 * those of the servers and clients of this kit.
 */
final class LiveThreads {
    private static final Pattern LINE = Pattern.compile("(?m)^#(\\d+) \"([^\"]*)\"");
    private static final Pattern OF_THE_JVM =
            Pattern.compile(
                    "ForkJoinPool(-1-|\\.commonPool|\\.delayScheduler).*|VirtualThread-.*"
                            + "|(Read|Write|Sub|Master)-?Poller.*|Common-Cleaner|Cleaner-\\d+"
                            + "|CompletableFutureDelayScheduler|process reaper.*|Keep-Alive-Timer"
                            + "|idle-timeout-task|Attach Listener|Notification Thread"
                            + "|surefire-.*|Signal Dispatcher|C[12] CompilerThread.*");

    private static final Pattern OF_THE_KIT =
            Pattern.compile(LoopbackEgress.THREADS + "|fault-server.*");

    private LiveThreads() {}

    /** Returns names by ids. */
    static Map<Long, String> now(Predicate<String> ignored) {
        Map<Long, String> threads = new TreeMap<>();
        Matcher line = LINE.matcher(dump());
        while (line.find()) {
            String name = line.group(2);
            boolean known =
                    OF_THE_JVM.matcher(name).matches() || OF_THE_KIT.matcher(name).matches();
            if (!known && !ignored.test(name)) {
                threads.put(Long.valueOf(line.group(1)), name);
            }
        }
        return threads;
    }

    private static String dump() {
        try {
            Path folder = Files.createTempDirectory("palyra-threads");
            Path file = folder.resolve("dump");
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=HotSpotDiagnostic"),
                            "dumpThreads",
                            new Object[] {file.toAbsolutePath().toString(), "TEXT_PLAIN"},
                            new String[] {String.class.getName(), String.class.getName()});
            String text = Files.readString(file);
            Files.delete(file);
            Files.delete(folder);
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JMException e) {
            throw new IllegalStateException("this JVM does not list its threads", e);
        }
    }
}
