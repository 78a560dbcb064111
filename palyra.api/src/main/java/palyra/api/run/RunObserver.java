package palyra.api.run;

import org.osgi.annotation.versioning.ConsumerType;

/** A receiver of the events of a followed run. */
@ConsumerType
public interface RunObserver {
    /**
     * Takes the next event. Called from one thread at a time; may block, which holds back this
     * observer only: the run goes on and the observer catches up from the tape. An exception ends
     * the following.
     */
    void onEvent(RunEvent event);

    /**
     * Following stopped before the run ended, because the journal or the service went away. Follow
     * again from the last sequence number.
     */
    default void onInterrupted(String reason) {}
}
