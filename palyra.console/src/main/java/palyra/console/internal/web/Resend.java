package palyra.console.internal.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Answers a change that came without its session, because that ended, or with the token of an
 * earlier one, because its person signed in again. The page holds what was entered and lets the
 * person send it once more; nothing of it is kept here, and nothing is done. It is made for
 * requests of the console's own pages alone: another origin's must not put words into it.
 */
public final class Resend {
    /** Names the fields of a form that hold secrets: the page does not repeat them. */
    static final String NOT_KEPT = "not_kept";

    private static final String PROOF = "prove_";
    private static final Set<String> OF_THE_FORM = Set.of("csrf", NOT_KEPT);
    private static final Pattern SECRET =
            Pattern.compile("again|new_.*|.*(password|passphrase|secret|token).*");
    private static final int MOST_FIELDS = 200;

    /**
     * The page.
     *
     * @param address where the request goes
     * @param fields what it had, without secrets
     * @param ended whether there is no session
     * @param incomplete whether something was left out, so that it is not sent as it is
     * @param back page that the change can be made from again
     */
    public record View(
            String address,
            List<StepUp.Field> fields,
            boolean ended,
            boolean incomplete,
            String back) {}

    private final Router router;

    Resend(Router router) {
        this.router = router;
    }

    /** Answers a change without a session. */
    void ended(Exchange exchange, boolean form) throws IOException {
        answer(exchange, HttpServletResponse.SC_UNAUTHORIZED, form, true);
    }

    /** Answers a change with the token of another session than the one that came with it. */
    void otherSession(Exchange exchange) throws IOException {
        exchange.say(
                "You signed in again since this page was loaded, so nothing was done; send it"
                        + " again.");
        answer(exchange, HttpServletResponse.SC_FORBIDDEN, true, false);
    }

    private void answer(Exchange exchange, int status, boolean form, boolean ended)
            throws IOException {
        String address = exchange.request().getRequestURI();
        String back = router.find("GET", address).isPresent() ? address : "/console/";
        List<StepUp.Field> fields = new ArrayList<>();
        boolean whole = form && collect(exchange, fields);
        String title = ended ? "Your session has ended" : "Send it again?";
        exchange.page(
                status,
                title,
                exchange.partial() ? "block/resend.jte" : "page/resend.jte",
                new View(address, fields, ended, !whole, back));
    }

    /** Returns whether everything was collected. */
    private static boolean collect(Exchange exchange, List<StepUp.Field> fields) {
        Map<String, String[]> sent = exchange.parameters();
        Set<String> named =
                new HashSet<>(Arrays.asList(sent.getOrDefault(NOT_KEPT, new String[0])));
        boolean whole = true;
        for (Map.Entry<String, String[]> entry : sent.entrySet()) {
            String name = entry.getKey();
            if (OF_THE_FORM.contains(name) || name.startsWith(PROOF)) {
                continue; // a proof is asked for again where it is needed
            }
            boolean secret =
                    named.contains(name) || SECRET.matcher(name.toLowerCase(Locale.ROOT)).matches();
            if (secret || fields.size() + entry.getValue().length > MOST_FIELDS) {
                whole = false;
                continue;
            }
            for (String value : entry.getValue()) {
                fields.add(new StepUp.Field(name, value));
            }
        }
        return whole;
    }
}
