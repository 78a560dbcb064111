package palyra.connectors.discord.internal;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * One kind of request with its ids.
 *
 * @param method HTTP method
 * @param path path behind the address of the API, with a query where there is one
 * @param kind the same without ids, by which buckets are told apart
 * @param major id by which Discord counts for itself; empty for none
 * @param secret token of the interaction that it answers, which is in the path; empty for none
 */
record Route(String method, String path, String kind, String major, String secret) {
    /** Returns whether it answers an interaction, which the account's limit does not count. */
    boolean isInteraction() {
        return !secret.isEmpty();
    }

    private static Route of(String method, String path, String kind, String major) {
        return new Route(method, path, method + " " + kind, major, "");
    }

    private static Route plain(String method, String path) {
        return of(method, path, path, "");
    }

    static Route gateway() {
        return plain("GET", "/gateway/bot");
    }

    static Route self() {
        return plain("GET", "/users/@me");
    }

    static Route application() {
        return plain("GET", "/applications/@me");
    }

    static Route guilds() {
        return of("GET", "/users/@me/guilds?limit=200", "/users/@me/guilds", "");
    }

    static Route roles(String guild) {
        return of("GET", "/guilds/" + guild + "/roles", "/guilds/ID/roles", guild);
    }

    static Route channel(String channel) {
        return of("GET", "/channels/" + channel, "/channels/ID", channel);
    }

    static Route post(String channel) {
        return of("POST", "/channels/" + channel + "/messages", "/channels/ID/messages", channel);
    }

    /** Begins the thread of a message, which gets its id. */
    static Route thread(String channel, String message) {
        return of(
                "POST",
                "/channels/" + channel + "/messages/" + message + "/threads",
                "/channels/ID/messages/ID/threads",
                channel);
    }

    static Route typing(String channel) {
        return of("POST", "/channels/" + channel + "/typing", "/channels/ID/typing", channel);
    }

    static Route edit(String channel, String message) {
        return of(
                "PATCH",
                "/channels/" + channel + "/messages/" + message,
                "/channels/ID/messages/ID",
                channel);
    }

    static Route react(String channel, String message, String emoji) {
        return of(
                "PUT",
                "/channels/"
                        + channel
                        + "/messages/"
                        + message
                        + "/reactions/"
                        + URLEncoder.encode(emoji, StandardCharsets.UTF_8).replace("+", "%20")
                        + "/@me",
                "/channels/ID/messages/ID/reactions",
                channel);
    }

    /** Messages of a channel, the oldest ones after an id, or the last ones when it is 0. */
    static Route messages(String channel, long after, int limit) {
        return of(
                "GET",
                "/channels/"
                        + channel
                        + "/messages?limit="
                        + limit
                        + (after > 0 ? "&after=" + after : ""),
                "/channels/ID/messages",
                channel);
    }

    /** One message of a channel. */
    static Route one(String channel, String message) {
        return of(
                "GET",
                "/channels/" + channel + "/messages/" + message,
                "/channels/ID/messages/ID",
                channel);
    }

    static Route commands(String application) {
        return of(
                "GET",
                "/applications/" + application + "/commands",
                "/applications/ID/commands",
                "");
    }

    /** Puts one command in the place of the one of its name. */
    static Route putCommand(String application) {
        return of(
                "POST",
                "/applications/" + application + "/commands",
                "/applications/ID/commands",
                "");
    }

    static Route answer(String interaction, String token) {
        return new Route(
                "POST",
                "/interactions/" + interaction + "/" + token + "/callback",
                "POST /interactions/ID/TOKEN/callback",
                interaction,
                token);
    }

    static Route amend(String application, String token) {
        return new Route(
                "PATCH",
                "/webhooks/" + application + "/" + token + "/messages/@original",
                "PATCH /webhooks/ID/TOKEN/messages/@original",
                token,
                token);
    }

    @Override
    public String toString() {
        return kind; // tokens of interactions stay out of logs
    }
}
