# docker build -t craig . && docker run --rm -v "$PWD:/work:ro" craig check examples/arbiter_unsafe.aag
FROM rust:1.95-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p craig --bin craig && strip target/release/craig

FROM debian:stable-slim
# The compiler preprocesses C programs. Designs in Verilog need yosys as well.
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 craig
COPY --from=build /source/target/release/craig /usr/local/bin/craig
COPY LICENSE-APACHE LICENSE-MIT /usr/share/doc/craig/
USER craig
WORKDIR /work
ENTRYPOINT ["craig"]
CMD ["--help"]
