/** Credentials to principals, and the only place where permission is decided. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("9.2.0")
package palyra.api.core.access;
