package palyra.bench.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.bench.grpc.Product;

/**
 * A person with an account of the console.
 *
 * @param url where the console is, under the name that cookies are for
 * @param cookie secret of the session
 */
record Visitor(String url, String cookie) {
    private static final Pattern SECRET = Pattern.compile("__Host-palyra=([^;]+)");
    private static final String FORM =
            "account=%s&password=correct+horse+battery&again=correct+horse+battery";

    /** Invites a person, who chooses a password and is signed in. */
    static Visitor invite(Product product, String name) throws IOException, InterruptedException {
        String url = product.endpoint("http").replace("127.0.0.1", "localhost");
        String link =
                product.command("console", "invite", name, "--group", "operator")
                        .path("link")
                        .asText();
        String path = URI.create(link).getPath();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(URI.create(url + path))
                                    .header("Origin", url)
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    String.format(FORM, name)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            for (String header : answer.headers().allValues("Set-Cookie")) {
                Matcher found = SECRET.matcher(header);
                if (found.find()) {
                    return new Visitor(url, found.group(1));
                }
            }
            throw new IOException("the invitation of " + name + " answers " + answer.statusCode());
        }
    }

    int port() {
        return URI.create(url).getPort();
    }
}
