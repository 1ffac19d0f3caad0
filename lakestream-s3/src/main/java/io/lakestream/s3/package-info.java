// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
/** Amazon S3, and stores that speak its protocol and honour its condition. */
@NullMarked
package io.lakestream.s3;

import org.jspecify.annotations.NullMarked;
