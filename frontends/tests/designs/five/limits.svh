`ifndef LIMITS
`define LIMITS
`define HIGHEST 2
`endif
