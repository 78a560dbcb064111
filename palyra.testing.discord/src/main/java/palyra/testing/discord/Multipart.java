package palyra.testing.discord;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a body of type {@code multipart/form-data} apart. */
final class Multipart {
    private static final Pattern NAME = Pattern.compile("\\bname=\"([^\"]*)\"");
    private static final Pattern FILE = Pattern.compile("\\bfilename=\"([^\"]*)\"");

    /** One part; the file name is empty when it is no file. */
    @SuppressWarnings("ArrayRecordComponent") // bytes as read
    record Part(String name, String file, String type, byte[] bytes) {}

    private Multipart() {}

    /**
     * Returns the parts.
     *
     * @throws IllegalArgumentException for what is no such body
     */
    static List<Part> parts(String contentType, byte[] body) {
        Matcher boundary = Pattern.compile("boundary=\"?([^\";]+)").matcher(contentType);
        if (!boundary.find()) {
            throw new IllegalArgumentException("no boundary: " + contentType);
        }
        // One byte is one character here, so that places in the text are places in the bytes.
        String text = new String(body, StandardCharsets.ISO_8859_1);
        String line = "--" + boundary.group(1);
        List<Part> parts = new ArrayList<>();
        int at = text.indexOf(line);
        while (at >= 0 && !text.startsWith("--", at + line.length())) {
            int head = at + line.length() + 2;
            int content = text.indexOf("\r\n\r\n", head);
            int end = text.indexOf("\r\n" + line, content);
            if (content < 0 || end < 0) {
                throw new IllegalArgumentException("a part has no end");
            }
            parts.add(part(text.substring(head, content), text.substring(content + 4, end)));
            at = end + 2;
        }
        return parts;
    }

    private static Part part(String head, String content) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : utf8(head).split("\r\n", -1)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        String disposition = headers.getOrDefault("content-disposition", "");
        return new Part(
                first(NAME, disposition),
                first(FILE, disposition),
                headers.getOrDefault("content-type", "application/octet-stream"),
                content.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }
}
