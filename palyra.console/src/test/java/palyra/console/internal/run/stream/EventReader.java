package palyra.console.internal.run.stream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import palyra.testing.wait.Await;

/** Reads a stream as browsers do. */
final class EventReader implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** One event. */
    record Event(String name, String id, String data) {}

    private final InputStream in;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    EventReader(InputStream in) {
        this.in = in;
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        String name = "";
        String id = "";
        String data = "";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring(7);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && !name.isEmpty()) {
                    events.add(new Event(name, id, data));
                    name = "";
                    id = "";
                }
            }
        } catch (IOException e) {
            // the connection ended, which is what a test waits for or does itself
        } finally {
            ended.countDown();
        }
    }

    /** Returns the events of runs, which have a position or a name that says so. */
    List<Event> ofRuns() {
        return events.stream().filter(event -> event.name().startsWith("run-")).toList();
    }

    List<String> names() {
        return events.stream().map(Event::name).toList();
    }

    EventReader awaitRuns(int count) {
        Await.until(
                count + " events of runs, of which came " + ofRuns(),
                PATIENCE,
                () -> ofRuns().size() >= count);
        return this;
    }

    EventReader awaitName(String name) {
        Await.until(name + " on a stream", PATIENCE, () -> names().contains(name));
        return this;
    }

    void awaitEnd() {
        Await.until("a stream to end", PATIENCE, () -> ended.getCount() == 0);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
