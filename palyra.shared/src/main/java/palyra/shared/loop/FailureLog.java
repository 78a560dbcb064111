package palyra.shared.loop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each distinct failure once with its trace, and its repetitions once a minute. */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedLoop.class);
    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int DISTINCT = 16;

    private final String name;
    private final Map<String, Long> loggedAt =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > DISTINCT;
                }
            }; // the loop's thread only

    FailureLog(String name) {
        this.name = name;
    }

    void failed(Throwable failure, String sentence, long restarts, long now) {
        Long last = loggedAt.get(sentence);
        if (last != null && now - last < EVERY_NANOS) {
            return;
        }
        loggedAt.put(sentence, now);
        if (last == null) {
            LOG.error("{} failed and begins again: {}", name, sentence, failure);
        } else {
            LOG.error("{} still fails, {} restarts by now: {}", name, restarts, sentence);
        }
    }
}
