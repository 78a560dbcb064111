/** Who is asking, and what they were permitted to do. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.api.access;
