package palyra.console.internal.web;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;

/** Renders templates, which are classes of this bundle. Thread-safe. */
public final class Pages {
    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

    private final TemplateEngine engine = engine();
    private final Navigation navigation;
    private final Assets assets;
    private final String version;

    /** Creates the renderer. */
    public Pages(Navigation navigation, Assets assets, String version) {
        this.navigation = navigation;
        this.assets = assets;
        this.version = version;
    }

    /** Without a folder of classes the engine takes the class loader of the thread's context. */
    private static TemplateEngine engine() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(Pages.class.getClassLoader());
        try {
            return TemplateEngine.createPrecompiled(
                    null, ContentType.Html, null, "palyra.console.internal.template");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    Frame frame(Exchange exchange, String title) {
        String path = exchange.request().getRequestURI();
        boolean signedIn = exchange.signedIn();
        return new Frame(
                title,
                path,
                exchange.nonce(),
                signedIn ? exchange.viewer().csrf() : "",
                signedIn ? exchange.principal().id() : "",
                signedIn && !exchange.partial() ? sections(exchange, path) : List.of(),
                assets,
                version,
                exchange.stream());
    }

    /** A page is shown also while what the navigation asks is being replaced. */
    private List<Frame.NavigationSection> sections(Exchange exchange, String path) {
        try {
            return navigation.sections(exchange.viewer(), path);
        } catch (PalyraException e) {
            LOG.debug("The navigation is not known now", e);
            return List.of();
        }
    }

    byte[] render(String template, Map<String, Object> parameters) throws IOException {
        Utf8ByteOutput output = new Utf8ByteOutput();
        engine.render(template, parameters, output);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(output.getContentLength());
        output.writeTo(bytes::write);
        return bytes.toByteArray();
    }
}
