package palyra.testing.telegram;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the HTML of messages as the Bot API describes it, and refuses everything else. Pure. */
public final class TelegramMarkup {
    private static final Pattern PIECE =
            Pattern.compile(
                    "<(/?)([a-z-]+)((?: [a-z]+=\"[^\"<>]*\")*)>|&(lt|gt|amp|quot);|([^<>&])");
    private static final Set<String> BARE =
            Set.of("b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "code", "pre");

    private TelegramMarkup() {}

    /**
     * Returns the text without its tags.
     *
     * @throws IllegalArgumentException as the server does: "can't parse entities"
     */
    public static String text(String html) {
        StringBuilder text = new StringBuilder();
        Deque<String> open = new ArrayDeque<>();
        Matcher piece = PIECE.matcher(html);
        int at = 0;
        while (at < html.length()) {
            if (!piece.find(at) || piece.start() != at) {
                throw refused("unsupported character at byte offset " + at);
            }
            at = piece.end();
            if (piece.group(5) != null) {
                text.append(piece.group(5));
            } else if (piece.group(4) != null) {
                text.append(entity(piece.group(4)));
            } else if (piece.group(1).isEmpty()) {
                requireKnown(piece.group(2), piece.group(3), open);
                open.push(piece.group(2));
            } else if (open.isEmpty() || !open.pop().equals(piece.group(2))) {
                throw refused("unexpected end tag at byte offset " + piece.start());
            }
        }
        if (!open.isEmpty()) {
            throw refused("can't find end tag corresponding to start tag \"" + open.peek() + "\"");
        }
        return text.toString();
    }

    private static char entity(String name) {
        return switch (name) {
            case "lt" -> '<';
            case "gt" -> '>';
            case "amp" -> '&';
            default -> '"';
        };
    }

    private static void requireKnown(String tag, String attributes, Deque<String> open) {
        boolean known =
                (BARE.contains(tag) && attributes.isEmpty())
                        || (tag.equals("a") && attributes.matches(" href=\"[^\"]+\""))
                        || (tag.equals("blockquote") && attributes.isEmpty())
                        || (tag.equals("code")
                                && attributes.matches(" class=\"language-[^\" ]+\"")
                                && "pre".equals(open.peek()));
        if (!known) {
            throw refused("unsupported start tag \"" + tag + attributes + "\"");
        }
        if (tag.equals("blockquote") && open.contains("blockquote")) {
            throw refused("quotes do not nest");
        }
        if (open.contains("code") || (open.contains("pre") && !tag.equals("code"))) {
            throw refused("code holds no other tags");
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("can't parse entities: " + why);
    }
}
