/** Signing, message authentication and key wrapping with keys that never leave their bundle. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.api.core.keys;
