/**
 * The native Cedar engine as a service: {@link palyra.lib.cedar.Cedar}.
 *
 * <p>Only types of the JDK and of this package cross the border. Nothing here keeps an object of a
 * caller beyond the call, so the bundles that use the service may come and go.
 */
@org.osgi.annotation.bundle.Export(
        substitution = org.osgi.annotation.bundle.Export.Substitution.NOIMPORT)
@org.osgi.annotation.versioning.Version("1.2.0")
package palyra.lib.cedar;
