/** Approval requests and their answers. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.1.0")
package palyra.api.approval;
