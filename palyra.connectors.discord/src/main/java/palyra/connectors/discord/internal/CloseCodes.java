package palyra.connectors.discord.internal;

/** What Discord means by closing a gateway connection with a code. Pure. */
final class CloseCodes {
    /** What follows from a close. */
    enum Then {
        /** The session goes on after another connection. */
        RESUME,
        /** The session is over; a new one is begun. */
        IDENTIFY,
        /** Nothing helps until a person changes something. */
        FAIL
    }

    static final int AUTHENTICATION_FAILED = 4004;
    static final int DISALLOWED_INTENTS = 4014;

    private CloseCodes() {}

    static Then then(int code) {
        return switch (code) {
            case 4004, 4010, 4011, 4012, 4013, 4014 -> Then.FAIL;
            case 1000, 1001, 4003, 4007, 4009 -> Then.IDENTIFY;
            default -> Then.RESUME;
        };
    }

    /** Returns whether a close is what a session that is used twice looks like. */
    static boolean isContention(int code) {
        return code == 4005 || code == 4009 || code == 4003 || code == 4007;
    }

    /** Returns Discord's name for a code; empty for others. */
    static String name(int code) {
        return switch (code) {
            case 4000 -> "Unknown error";
            case 4001 -> "Unknown opcode";
            case 4002 -> "Decode error";
            case 4003 -> "Not authenticated";
            case AUTHENTICATION_FAILED -> "Authentication failed";
            case 4005 -> "Already authenticated";
            case 4007 -> "Invalid seq";
            case 4008 -> "Rate limited";
            case 4009 -> "Session timed out";
            case 4010 -> "Invalid shard";
            case 4011 -> "Sharding required";
            case 4012 -> "Invalid API version";
            case 4013 -> "Invalid intent(s)";
            case DISALLOWED_INTENTS -> "Disallowed intent(s)";
            default -> "";
        };
    }

    /** Returns what to do about a code that ends it all. */
    static String remedy(int code) {
        return switch (code) {
            case AUTHENTICATION_FAILED ->
                    "Take a new token with Reset Token on the page Bot of the application in the"
                            + " Developer Portal, and put it into the vault.";
            case 4010 -> "Discord has fewer shards for this bot; set shards lower.";
            case 4011 ->
                    "The bot is in too many servers for so few connections; set shards to"
                            + " what palyra channels discord verify says.";
            case 4012 -> "This version of the connector is too old for Discord; update Palyra.";
            case 4013 -> "Discord does not know what is subscribed to; update Palyra.";
            case DISALLOWED_INTENTS ->
                    "Turn on Message Content Intent under Privileged Gateway Intents on the page"
                            + " Bot of the application in the Developer Portal, or set"
                            + " messageContent to false. It is looked at each minute.";
            default -> "";
        };
    }

    /** Returns a sentence about a close. */
    static String shown(int code, String reason) {
        String name = name(code);
        String words = name.isEmpty() ? reason : name;
        return "Discord closed the connection with code "
                + code
                + (words.isEmpty() ? "" : " (" + words + ")")
                + ".";
    }
}
