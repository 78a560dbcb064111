package palyra.shared.secrets;

import java.util.List;

/**
 * A bot token of Discord: base64 of the bot's id, which is decimal digits, then a time and a
 * signature, with dots between them.
 */
final class DiscordShape implements Shape {
    private static final int LEAST_ID = 22;
    private static final int MOST_ID = 28;

    /** Characters that Base64 of digits has at each of four places. */
    private static final String[] PLACES = {"MNO", "DTjz", "AEIMQUYcgk", "wxyz012345"};

    private final Body rest = new Body(List.of("\".\"", "U6", "\".\"", "U27-80"), true);

    @Override
    public String kind() {
        return "discord-bot-token";
    }

    @Override
    public String firsts() {
        return PLACES[0];
    }

    @Override
    public void attempt(CharSequence text, int at, boolean complete, Attempt outcome) {
        outcome.none();
        if (!Chars.beginsAlone(text, at)) {
            return;
        }
        int end = at;
        while (end < text.length()
                && end - at < MOST_ID
                && PLACES[(end - at) % PLACES.length].indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        if (end == text.length()) {
            if (!complete) {
                outcome.more(at);
            }
        } else if (end - at >= LEAST_ID) {
            rest.attempt(text, at, end, complete, outcome);
            rest.judge(text, end, complete, Check.MIXED, outcome);
        }
    }
}
