// Generate blocks with cases and nested names.
// options: --param N=3
// expect: SAFE b (a:
// expect: UNSAFE b (b:
// expect: SAFE b (c:
module top #(parameter N = 2)(input clk, input d);
  genvar i; reg [N-1:0] q = 0; always @(posedge clk) q <= {q, d};
  generate for (i = 0; i < N; i = i + 1) begin : g
    case (i) 0: begin : zero a: assert property (q[0] || !q[0]); end
             1: begin : one b: assert property (!q[i]); end
       default: begin : other c: assert property (q[i] == q[i]); end endcase
  end endgenerate
endmodule
