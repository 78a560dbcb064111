package palyra.console.internal.run;

import java.util.List;
import palyra.api.core.gateway.AgentView;
import palyra.api.run.SessionView;

/**
 * A session with its runs.
 *
 * @param session the session; null for one that begins with its first message
 * @param runs runs, oldest first
 * @param older address of older runs; empty when there are none
 * @param newest whether the newest runs are shown
 * @param pending message that waits to be routed; empty for none
 * @param sent message that was sent just now; empty for none
 * @param sentKey key of the form that it was sent with; empty when it is not known
 * @param mayWrite whether the reader may send a message
 * @param agents agents to choose from for a new session
 * @param key what makes one sending of the form of another's repetition the same message
 * @param text what was written in the form
 * @param notice why it was not sent; empty otherwise
 */
public record Conversation(
        SessionView session,
        List<RunPart> runs,
        String older,
        boolean newest,
        String pending,
        String sent,
        String sentKey,
        boolean mayWrite,
        List<AgentView> agents,
        String key,
        String text,
        String notice) {
    /** Returns its address. */
    public String address() {
        return session == null ? "/console/chat" : "/console/sessions/" + session.sessionId();
    }

    /** Returns its title. */
    public String title() {
        if (session == null) {
            return "Chat";
        }
        String name = session.label().isEmpty() ? session.key() : session.label();
        return name.isEmpty() ? "Session " + session.sessionId() : name;
    }

    /** Returns whether a run goes on, so that a message needs a word on when it is read. */
    public boolean live() {
        return runs.stream().anyMatch(RunPart::live);
    }

    /** Returns the address where messages are sent to. */
    public String target() {
        return session == null ? "/console/chat" : address() + "/messages";
    }
}
