/** Authenticated callers and their permits. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.api.access;
