package palyra.transport.openai.internal.session;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.transport.openai.internal.ask.Said;

/**
 * What a conversation looks like to a client. Clients send back what they show, so what they add
 * around an answer or trim from it is left out of the comparison. Pure functions.
 */
public final class Transcript {
    /** Elements in which clients fold reasoning into the text that they keep. */
    private static final List<String> FOLDED = List.of("think", "thinking", "details");

    private static final Pattern SPACE = Pattern.compile("\\s+");

    private Transcript() {}

    /**
     * Returns the fingerprint of a conversation with an agent, lower-case hex. Consecutive messages
     * of the agent count as one.
     */
    public static String fingerprint(String agentId, List<Said> said) {
        return Digests.sha256Hex(bytes(agentId, said));
    }

    private static byte[] bytes(String agentId, List<Said> said) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        list.add("palyra.openai.transcript.v1").add(agentId);
        merged(said).forEach(each -> list.add(entry(each)));
        return Jcs.bytes(list);
    }

    private static ArrayNode entry(Said said) {
        return JsonNodeFactory.instance
                .arrayNode()
                .add(said.role().name().toLowerCase(Locale.ROOT))
                .add(plain(said.text()));
    }

    /**
     * Begins the fingerprint of a conversation whose answer is not there yet, so that the
     * conversation itself need not be kept until then.
     *
     * @param newest message of the user to which the answer comes
     */
    public static Begun begin(String agentId, List<Said> earlier, String newest) {
        List<Said> all = new ArrayList<>(earlier);
        all.add(new Said(Said.Role.USER, newest));
        byte[] bytes = bytes(agentId, all);
        MessageDigest digest = Digests.sha256();
        digest.update(bytes, 0, bytes.length - 1); // the list goes on
        return new Begun(digest);
    }

    /** A fingerprint that waits for the answer. Used once, by one thread. */
    public static final class Begun {
        private final MessageDigest digest;

        private Begun(MessageDigest digest) {
            this.digest = digest;
        }

        /** Returns the fingerprint of the conversation with its answer. */
        public String with(String answer) {
            digest.update((byte) ',');
            digest.update(Jcs.bytes(entry(new Said(Said.Role.ASSISTANT, answer))));
            digest.update((byte) ']');
            return Digests.hex(digest.digest());
        }
    }

    private static List<Said> merged(List<Said> said) {
        List<Said> merged = new ArrayList<>();
        for (Said each : said) {
            if (!merged.isEmpty()
                    && each.role() == Said.Role.ASSISTANT
                    && merged.getLast().role() == Said.Role.ASSISTANT) {
                Said before = merged.removeLast();
                merged.add(new Said(each.role(), before.text() + " " + each.text()));
            } else {
                merged.add(each);
            }
        }
        return merged;
    }

    private static String plain(String text) {
        String rest = text;
        for (String element : FOLDED) {
            rest = without(rest, element);
        }
        return SPACE.matcher(rest).replaceAll(" ").strip();
    }

    /** Leaves elements out, in one pass however many begin and never end. */
    private static String without(String text, String element) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.length() != text.length()) {
            return text; // places in it are not places in the text
        }
        String end = "</" + element + ">";
        StringBuilder rest = new StringBuilder();
        int from = 0;
        int begin = lower.indexOf("<" + element);
        while (begin >= 0) {
            int after = begin + 1 + element.length();
            boolean whole =
                    after < text.length()
                            && (lower.charAt(after) == '>' || lower.charAt(after) == ' ');
            int close = whole ? lower.indexOf(end, after) : after;
            if (close < 0) {
                break;
            }
            if (whole) {
                rest.append(text, from, begin).append(' ');
                from = close + end.length();
                begin = lower.indexOf("<" + element, from);
            } else {
                begin = lower.indexOf("<" + element, after);
            }
        }
        return rest.append(text, from, text.length()).toString();
    }
}
