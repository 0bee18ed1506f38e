// Modules with interfaces are derived under other names.
// expect: SAFE b0 (k.ready:
// expect: UNSAFE b1 (k.high:
interface bus; logic [3:0] data; logic valid; modport src(output data, output valid); modport dst(input data, input valid); endinterface
module source(input clk, bus.src b);
  reg [3:0] n = 0;
  always @(posedge clk) n <= n + 2;
  assign b.data = n; assign b.valid = n != 0;
endmodule
module sink(input clk, bus.dst b);
  ready: assert property (!b.data[0]);
  high: assert property (!b.valid || b.data < 9);
endmodule
module top(input clk);
  bus b(); source s(.clk(clk), .b(b)); sink k(.clk(clk), .b(b));
endmodule
