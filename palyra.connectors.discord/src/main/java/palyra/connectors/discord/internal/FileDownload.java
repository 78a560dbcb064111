package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.InboundMessage.Attachment;

/**
 * Downloads attached files. Their addresses are signed and expire within a day, so the message is
 * read again for a fresh one. Stateless.
 */
final class FileDownload {
    private static final int LOOK_MILLIS = 5_000;
    private static final int DOWNLOAD_MILLIS = 24_000; // of the 30 s that a connector has

    private FileDownload() {}

    static void fetch(Account account, Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        String[] ids = file.reference().split("/", -1);
        if (ids.length != 3 || !isAll(ids)) {
            throw gone("its reference is not one of this connector");
        }
        JsonNode found =
                attachment(account.api().call(Route.one(ids[0], ids[1]), LOOK_MILLIS), ids);
        String url = found.path("url").asText("");
        if (!account.settings().isOfFiles(url)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Discord names an address for the file that is not one of its servers of"
                            + " files, so it is not fetched.");
        }
        account.api().download(url, out, maxBytes, DOWNLOAD_MILLIS);
    }

    private static boolean isAll(String... ids) {
        for (String id : ids) {
            if (!Snowflakes.isOne(id)) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode attachment(ApiAnswer answer, String... ids) {
        return switch (answer) {
            case ApiAnswer.Done done -> {
                for (JsonNode one : done.result().path("attachments")) {
                    if (one.path("id").asText("").equals(ids[2])) {
                        yield one;
                    }
                }
                throw gone("its message does not have it any more");
            }
            case ApiAnswer.Refused refused -> {
                if (refused.status() == 404) {
                    throw gone(refused.shown());
                }
                throw new PalyraException(
                        refused.status() == 403 ? ErrorCode.DENIED : ErrorCode.TOOL_UNAVAILABLE,
                        "The message of the file cannot be read: " + refused.shown());
            }
            case ApiAnswer.Unreadable unreadable ->
                    throw new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "The message of the file cannot be read: " + unreadable.reason() + ".");
        };
    }

    static PalyraException gone(String why) {
        return new PalyraException(
                ErrorCode.NOT_FOUND, "Discord does not have the file any more: " + why + ".");
    }
}
