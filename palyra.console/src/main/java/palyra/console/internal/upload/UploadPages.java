package palyra.console.internal.upload;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.AccessRequest;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/**
 * Takes a jar that is to replace a bundle. Nothing is done with it but to keep it: what it is and
 * whether it may is the bundle panel's next page. Its body is read when the person was found to be
 * allowed to swap bundles, and not before.
 */
public final class UploadPages {
    /** Where the servlet with multipart support is. */
    public static final String PREFIX = "/console/bundles/upload";

    /** Most bytes of a request: the jar and what a browser puts around it. */
    public static final long MOST_REQUEST_BYTES = Uploads.MOST_BYTES + (64L << 10);

    private static final String ACTION = "bundle.swap";
    private static final String FILE = "jar";

    /** The page with the form. */
    public record View(String bundle, String address, long mostMebibytes) {}

    private final Seams seams;
    private final Uploads uploads;

    /** Creates the pages. */
    public UploadPages(Seams seams, Uploads uploads) {
        this.seams = seams;
        this.uploads = uploads;
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get(PREFIX + "/{bundle}", this::form);
        router.upload(PREFIX + "/{bundle}", this::admit, this::take);
    }

    private static String bundle(Exchange exchange) {
        return URLDecoder.decode(exchange.segment("bundle"), StandardCharsets.UTF_8);
    }

    private void form(Exchange exchange) throws IOException {
        String bundle = bundle(exchange);
        seams.access().call(access -> access.authorizeRead(question(exchange, bundle)));
        exchange.page(
                "Swap " + bundle,
                "page/upload.jte",
                new View(bundle, PREFIX + "/" + Exchange.encode(bundle), Uploads.MOST_BYTES >> 20));
    }

    private static AccessRequest question(Exchange exchange, String bundle) {
        return AccessRequest.of(exchange.principal(), ACTION, "bundle:" + bundle);
    }

    /** Asks, and records, before a byte of the body is read. */
    private void admit(Exchange exchange) {
        long length = exchange.request().getContentLengthLong();
        if (length < 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The request does not say how long it is; send it from the console's page.");
        }
        if (length > MOST_REQUEST_BYTES) {
            throw Uploads.tooLarge();
        }
        AccessRequest question = question(exchange, bundle(exchange));
        seams.access().call(access -> access.authorizeAndRecord(question));
    }

    private void take(Exchange exchange) throws IOException {
        String bundle = bundle(exchange);
        Uploads.Upload upload;
        Part part = part(exchange);
        try (InputStream in = part.getInputStream()) {
            upload = uploads.keep(exchange.principal().id(), bundle, in);
        } finally {
            part.delete();
        }
        exchange.seeOther(
                "/console/panel/bundles/" + Exchange.encode(bundle) + "/jar/" + upload.id());
    }

    private static Part part(Exchange exchange) throws IOException {
        Part part;
        try {
            part = exchange.request().getPart(FILE);
        } catch (ServletException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The request is no form with a file.", e);
        } catch (IllegalStateException e) {
            throw Uploads.tooLarge();
        }
        if (part == null) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "No file was chosen; choose a jar.");
        }
        return part;
    }
}
